import type { Core } from './words.ts'

/** Finds what kind of question an English sentence asks. */
export const coreOf = (subject: string): Core => {
  const sentence = subject.replace(/[\s.!?:;]+$/, '')
  const choice = readChoice(sentence)
  if (choice) return { type: 'choice', options: choice }
  const wish = passivePattern.exec(sentence)
  if (wish) return { type: 'action', action: `${small(`${wish[2]} `).trim()} ${wish[1]?.toLowerCase()} ${wish[3]}` }
  const action = actionPattern.exec(sentence)?.[1]
  if (action) return { type: 'action', action }
  const goal = goalPattern.exec(sentence)?.[1]
  if (goal) return { type: 'goal', goal }
  if (questionPattern.test(subject)) return { type: 'question', question: small(sentence) }
  return { type: 'statement', statement: small(sentence) }
}

/** Runs of telling words, those of the question before those of the rest. */
export const termsOf = (topic: string, subject: string): string[] => {
  const wish = passivePattern.exec(subject)
  const asked = wish ? `${wish[2]} ${wish[3]}` : subject.replace(leadPattern, '').replace(imperativePattern, '')
  const rest = topic.replace(subject, ' . ')
  return [...new Set([...runsOf(asked), ...runsOf(rest)])].slice(0, 3)
}

/** Words that belong together, with the little word before them: `the start-up time`, `our desktop app`. */
const runsOf = (text: string): string[] => {
  const runs: string[] = []
  let run: string[] = []
  let article = ''
  for (const [word] of `${text} .`.matchAll(/[\p{L}\p{N}][\p{L}\p{N}'’.+#-]*|[^\s]/gu)) {
    const plain = word.replace(/[.'’-]+$/, '')
    const isTelling = /[\p{L}\p{N}]/u.test(plain) && !dull.has(plain.toLowerCase())
    if (isTelling && run.length < runWordsMax) run.push(plain)
    if (isTelling && plain === word) continue
    if (run.join(' ').length >= 3) runs.push(nameRun(article, run.join(' ')))
    run = []
    article = articles.has(plain.toLowerCase()) ? plain.toLowerCase() : ''
  }
  return runs
}

/** Whatever does not look like a name gets an article. */
const nameRun = (article: string, run: string): string => {
  if (article !== '') return `${article} ${run}`
  return /^\p{Ll}/u.test(run) ? `the ${run}` : run
}

/** `… A or B`: as many words before the "or" as there are after it, or from the word that B begins with too. */
const readChoice = (sentence: string): readonly [string, string] | null => {
  const parts = /^(.+?),? or (?:rather )?(.+)$/i.exec(sentence)
  if (!parts?.[1] || !parts[2]) return null
  const after = opening(parts[2].split(' '))
  const before = parts[1].replace(leadPattern, '').split(/[ ,]+/)
  const sameStart = before.lastIndexOf(after[0] ?? '')
  const isNear = sameStart >= 0 && before.length - sameStart <= optionWordsMax
  return [nameOption(before.slice(isNear ? sameStart : -after.length)), nameOption(after)]
}

/** The first words of what is long, without a little word at the end that leads to nothing. */
const opening = (words: readonly string[]): readonly string[] => {
  if (words.length <= optionWordsMax) return words
  const first = words.slice(0, optionWordsMax)
  const last = first.findLastIndex((word) => !leadsOn.has(word.toLowerCase()))
  return last < 0 ? first : first.slice(0, last + 1)
}

/** A name stands as it is, anything else in quotation marks. */
const nameOption = (words: readonly string[]): string => {
  const option = words.join(' ').replace(/^(?:in|on|with|to|by|for|at|using|use) (?=\S)/i, '')
  return /^[a-z].* /.test(option) ? `“${option}”` : option
}

/** The first letter small, unless it begins a name or an abbreviation. */
const small = (text: string): string =>
  /^[A-Z][a-z]* /.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text

/** Words that promise another one. */
const leadsOn = new Set(
  ('a an and as at but by for from if in into my of on or our so than that the their this to under until when ' +
    'where which while who with without your').split(' '),
)
const articles = new Set(['the', 'our', 'this', 'these', 'their', 'a', 'an'])
/** `Plan the …`: what comes before the article is the verb. */
const imperativePattern = /^[A-Z][a-z]+ (?=(?:the|a|an|our|my|your|this|these|their) )/
const optionWordsMax = 6
const runWordsMax = 3
const adjective = '(?:small|big|large|new|old|young|whole|single|good|typical)'
const who = `(?:we|i|you|they|it|one|people|(?:our|the|a|an|my|your|this)(?: ${adjective})? \\w+(?: of \\w+)?)`
const actionPattern = new RegExp(`^(?:should|shall|can|could|may|must|do|will|would) ${who} (.+)$`, 'i')
/** `Should tests be …`: the things themselves are asked about, and nobody does it. */
const passivePattern = /^(should|shall|can|could|may|must|will|would) ((?:(?:our|the|all|new) )?\w+) (be .+)$/i
const goalPattern = new RegExp(
  `^(?:how (?:do|does|can|should|could|would|might|must|to)(?: ${who})?|` +
    "what(?: is|’s|'s| would be) the \\w+ way to) (.+)$",
  'i',
)
const questionPattern = /^(?:how|what|which|why|when|where|who|whose|is|are|was|were|has|have|does|did)\b|\?\s*$/i
/** What stands before the things a sentence is about: the question word, who is asked, and the verb. */
const leadPattern = new RegExp(
  '^(?:(?:how|what|which|why|when|where) )?(?:should|shall|can|could|may|must|do|does|will|would|to|is|are)' +
    `(?: ${who})? (?:(?:better|best) )?(?:to )?[\\w-]+ `,
  'i',
)

const dull = new Set(
  ('a about above actually after again against all also am an and any are as at be because been before ' +
    'being below best better between both but by can could currently did do does doing down during each ' +
    'ever few first five for four from further get go good had has have having he her here him his how i ' +
    'if in instead into is it its itself just let lot lots make many may might more most much must my ' +
    'need needs next no not now of off on once one only or other our ours out over own per please rather ' +
    'really same say second several shall she should six so some still such tell than that the their them ' +
    'then there these they third this those three through to too two under until up us use using very ' +
    'want wants was way we well were what when where which while who whose why will with worth would yes ' +
    'written rewritten keep keeps kept used done made moved put you your yours').split(' '),
)
