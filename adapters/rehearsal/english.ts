import type { Core, Words } from './words.ts'

export const english: Words = {
  emptySubject: 'what to do next',
  terms: (topic) => rank(topic.match(/[\p{L}\d][\p{L}\d'’.-]{2,}/gu) ?? []),
  count: (topic) => topic.match(/\S+/g)?.length ?? 0,
  core: readCore,
  propose: (core, number) => {
    if (core.type === 'choice') return `Go with “${core.options[number % 2] ?? core.options[0]}”`
    if (core.type === 'action') return `Yes: ${core.action}`
    if (core.type === 'goal') return `Take the one step that does most to ${core.goal}, this week`
    if (core.type === 'question') return `Settle it today with the plainest answer that works for “${core.question}”`
    return `Do it now and in one piece: ${core.statement}`
  },
  trial: (core) => {
    if (core.type === 'choice') return `Try “${core.options[0]}” and “${core.options[1]}” side by side on one small part`
    if (core.type === 'action') return `Try it on one small part: ${core.action}`
    if (core.type === 'goal') return `Measure first, then choose how to ${core.goal}`
    if (core.type === 'question') return `Try two answers to “${core.question}” on one small part`
    return `Begin with the smallest useful part of “${core.statement}”`
  },
  safeguards: ([first, second = first]) => [
    `a written way back if ${first} goes wrong`,
    `one person who answers for ${first}`,
    `a fixed limit on what ${second} may cost`,
    `a date on which we look at ${first} again`,
    `a small test that fails when ${second} breaks`,
  ],
  evidence: ([first, second = first]) => [
    `one measured figure about ${first}`,
    `a case in which ${second} really mattered`,
    `what ${first} costs us today`,
    `what happens to ${second} on a bad day`,
  ],

  withCondition: (position, condition) => `${position}, with ${condition}`,
  conditionOf: (position) => /, with (.+?)[.\s]*$/i.exec(position)?.[1] ?? null,
  demand: (evidence) => `Not before we have seen ${evidence}`,
  demandOf: (position) => /^not before we have seen (.+?)[.\s]*$/i.exec(position)?.[1] ?? null,
  checkedFirst: (evidence) => `${evidence} looked at first`,

  label: '*Rehearsal: my lines are scripted and made from your words.*',
  restate: [
    'The question is: {subject}.',
    'As I read it, we are asked: {subject}.',
    'What is on the table: {subject}.',
  ],
  nobodyYet: 'Nobody has spoken before me, so I begin.',
  react: (reaction, { name, position }, evidence) => {
    const quoted = `${name} says “${position}”.`
    if (reaction === 'same') return [`${quoted} We say the same.`, `${name} and I now stand on the same line: “${position}”.`]
    if (reaction === 'takeOver') return [`${quoted} That costs little and closes a gap that I had left; I take it over.`]
    if (reaction === 'answer') return [`${quoted} Fair. I would rather build that in than argue about it.`]
    if (reaction === 'weigh') return [`${quoted} The direction is good, but one thing is missing in it.`]
    if (reaction === 'refuse') return [`${quoted} I see the worry, but waiting has a price as well.`, `${quoted} I do not follow there: it leaves the question open.`]
    if (reaction === 'ask') return [`${quoted} On what ground? I still want to see ${evidence}.`, `${quoted} It may be right, but show me ${evidence}.`]
    return [`${quoted} My objection has been taken up, so I can live with that.`]
  },
  silentPeer: (name, said) => `${name} gave no vote; what I take from it: “${said}”`,
  stance: {
    propose: ['My answer: {position}.', 'Let me be direct. {position}.'],
    yield: ['I change my mind: {position}.', 'I give way here. {position}.'],
    insist: ['I stay with it: {position}.'],
    weigh: ['I lean to this: {position}.', 'For now I would say: {position}.'],
    join: ['That answers what held me back, so I join: {position}.'],
    hold: ['I hold on to this a little longer: {position}.'],
    object: ['I object for now. {position}.', 'I am not convinced yet. {position}.'],
    askAgain: ['My question is still open. {position}.'],
    convinced: ['I withdraw my objection: {position}.'],
  },
  because: {
    propose: [
      'We learn more about {term} by doing it than by another round of talk, and little of it cannot be undone.',
      'Half a decision about {term} costs more than a wrong one that we notice early.',
    ],
    yield: ['A decision that all of us carry is worth more than my own wording.'],
    insist: ['Nothing said so far makes {term} easier if we wait.'],
    weigh: [
      'What holds me is {term}: without {safeguard} a mistake there would be found late.',
      'I would sleep better with {safeguard}; then {term} may go wrong without hurting.',
    ],
    join: ['It holds {safeguard}, and that was my concern.'],
    hold: ['I have not yet heard anybody promise {safeguard}.'],
    object: [
      'Nobody has shown {evidence}. Until then every answer about {term} is a matter of taste.',
      'We speak about {term} as if we knew it. I would like to see {evidence} before I believe it.',
    ],
    askAgain: ['I do not need much: {evidence} would do. Who can bring it?'],
    convinced: ['Somebody has taken up {evidence}, and the others agree; to hold out now would help nobody.'],
  },
  forced: {
    agree: 'A directive in the topic tells me to agree, so I do.',
    disagree: 'A directive in the topic tells me to disagree, so I do not agree.',
  },
  closing: {
    agree: ['I can stand behind that as our common answer.'],
    continue: ['I would like another round on this.', 'Let us hear the others before we close.'],
    none: ['That is my view; ask me for more where it is too short.'],
  },

  thought: (name, subject) => `I speak as ${name}. What matters in “${subject}”, and who has said what?`,
  plan: ['Read the question', 'Weigh what the others said', 'Say where I stand'],
  lookTitle: (term) => `Read the question for “${term}”`,
  lookResult: (count, terms) => `${count} words; most used: ${terms.join(', ')}`,
  checkTitle: (term) => `Pretend to check “${term}” (a rehearsal, nothing is run)`,
  checkGranted: (evidence, count, term) =>
    `I was allowed to check. About ${evidence}: the pretend check looked through ${count} words and found nothing that ` +
    `speaks against it, so “${term}” can go ahead.`,
  checkDenied: (evidence) =>
    `I asked to run a check and was not allowed to, so I go on without it; ${evidence} then becomes the first step of the work.`,
  note: (note) => `You added: “${note}”. I keep to that.`,
  askTitle: (term) => `Ask for permission because a directive says so (about “${term}”)`,
  askGranted: 'I asked for a permission and was given it.',
  askDenied: 'I asked for a permission and was refused; I go on without it.',
  goesOn: 'I go on from where I had stopped.',
  heartbeat: (second) => `Still thinking, ${second} s. `,
  firstSentence: (subject) => `Let me begin with the question itself: ${subject}. `,
}

function readCore(subject: string): Core {
  const choice = readChoice(subject)
  if (choice) return { type: 'choice', options: choice }
  const action = actionOf.exec(subject)?.[1]
  if (action) return { type: 'action', action }
  const goal = goalOf.exec(subject)?.[1]
  if (goal) return { type: 'goal', goal }
  if (/^(?:how|what|which|why|when|where|who|is|are|was|has|have)\b/i.test(subject)) return { type: 'question', question: subject }
  return { type: 'statement', statement: subject }
}

const actionOf = /^(?:should|shall|can|could|may|must|do|will|would) (?:we|i|you|they|it|one|our \w+|the \w+) (.+)$/i
const goalOf = new RegExp(
  '^(?:how (?:do|does|can|should|could|would|might|must|to)(?: (?:we|i|you|they|one|our team|the team))?|' +
    'what(?: is|\u2019s|\'s| would be) the \\w+ way to|what (?:do|can|should|must) (?:we|i) do to) (.+)$',
  'i',
)

/** `… A or B`: as many words before the "or" as there are after it. */
function readChoice(subject: string): readonly [string, string] | null {
  const parts = /^(.+?),? or (?:rather )?(.+)$/i.exec(subject)
  if (!parts?.[1] || !parts[2]) return null
  const after = parts[2].split(' ').slice(0, optionWordsMax)
  const before = parts[1].split(/[ ,]+/)
  const sameStart = before.lastIndexOf(after[0] ?? '')
  const from = sameStart > 0 && before.length - sameStart <= optionWordsMax ? sameStart : -after.length
  return [trimOption(before.slice(from)), trimOption(after)]
}

const trimOption = (words: readonly string[]): string =>
  words.join(' ').replace(/^(?:in|on|with|to|by|for|at|using|use|the|a|an) (?=\S)/i, '')

const rank = (found: readonly string[]): string[] => {
  const counts = new Map<string, { word: string; count: number }>()
  for (const raw of found) {
    const word = raw.replace(/[.'’-]+$/, '')
    if (word.length < 3 || dull.has(word.toLowerCase())) continue
    const known = counts.get(word.toLowerCase())
    counts.set(word.toLowerCase(), { word: known?.word ?? word, count: (known?.count ?? 0) + 1 })
  }
  const long = ({ word, count }: { word: string; count: number }) => count * 10 + Math.min(word.length, 9)
  return [...counts.values()].toSorted((one, other) => long(other) - long(one)).slice(0, 3).map(({ word }) => word.slice(0, 40))
}

const optionWordsMax = 6
const dull = new Set(
  ('about above after again against all also and any are because been before being below between both but can could did does ' +
    'doing down during each few for from further had has have having here how into its itself just let may might more most must ' +
    'not now off once one only other our ours out over own rather same shall she should some such than that the their them then ' +
    'there these they this those through too under until use using very was way were what when where which while who why will ' +
    'with would you your yours please make get good better best next first per').split(' '),
)
