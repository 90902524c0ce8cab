import { coreOf, termsOf } from './english-topic.ts'
import type { Group, Words } from './words.ts'

export const english: Words = {
  emptySubject: 'What to do next?',
  terms: termsOf,
  count: (topic) => topic.match(/\S+/g)?.length ?? 0,
  core: coreOf,
  propose: (core) => {
    if (core.type === 'choice') return [`Go with ${core.options[0]}`, `Go with ${core.options[1]}`]
    if (core.type === 'action') return [`Yes, ${core.action}`, `Yes, and soon: ${core.action}`]
    if (core.type === 'goal') {
      return [
        `To ${core.goal}: find the part that weighs most and change only that`,
        `To ${core.goal}: stop what works against it before adding anything`,
        `To ${core.goal}: give one person two weeks and a free hand`,
      ]
    }
    if (core.type === 'question') return [`Name one answer to “${core.question}”, and act on it this week`]
    return [`Do it now, and in one piece: ${core.statement}`]
  },
  trial: (core) => {
    if (core.type === 'choice') return `Try ${core.options[0]} and ${core.options[1]} side by side on one small part`
    if (core.type === 'action') return `Try it on one small part first: ${core.action}`
    if (core.type === 'goal') return `To ${core.goal}: measure for a week, then choose`
    if (core.type === 'question') return `Collect two answers to “${core.question}” and try both on a small part`
    return `Begin with its smallest useful part: ${core.statement}`
  },
  safeguards: ([first, second = first]) => [
    `a written way back for ${first}`,
    `one person who answers for ${first}`,
    `a fixed limit on the cost of ${second}`,
    `a date on which we look at ${first} again`,
    `a small test around ${second}`,
  ],
  evidence: ([first, second = first]) => [
    `one measured figure for ${first}`,
    `one real case about ${second}`,
    `today’s cost of ${first}`,
    `the behaviour of ${second} on a bad day`,
  ],

  withCondition: (position, condition) => `${position}, with ${condition}`,
  conditionOf: (position) => /, with (.+?)[.\s]*$/i.exec(position)?.[1] ?? null,
  demand: (evidence) => `Not before we have looked at ${evidence}`,
  demandOf: (position) => /^not before we have looked at (.+?)[.\s]*$/i.exec(position)?.[1] ?? null,
  checkedFirst: (evidence) => `a look at ${evidence} first`,

  label: '*Rehearsal: my lines are scripted and made from your words.*',
  restate: ['What is asked: {subject}', 'As I read it, the question is this. {subject}', 'On the table: {subject}'],
  nobodyYet: 'Nobody has spoken before me, so I begin.',
  react: (reaction, group, evidence) => {
    const { names, condition } = group
    const who = list(names)
    const quoted = `${who} ${verb(group, 'says', 'say')} “${inner(group.position)}”.`
    switch (reaction) {
      case 'same':
        return [`${who} and I say the same by now.`, `${who} and I are on one line.`]
      case 'takeOver':
        return [
          `${who} ${verb(group, 'asks', 'ask')} for one thing more: ${condition ?? inner(group.position)}. ` +
            'That costs little and closes a gap I had left, so I take it over.',
        ]
      case 'buildIn':
        return [`${quoted} A fair request; I would rather build it in than argue about it.`]
      case 'add':
        return [
          `${quoted} I like the direction, but one thing is missing in it.`,
          `${quoted} Yes, though not quite like that.`,
        ]
      case 'lookInto':
        return [`${who} ${verb(group, 'asks', 'ask')} for ${evidence}. A fair question; I would like to look into it.`]
      case 'lookedInto':
        return [
          `What ${who} ${verb(group, 'asks', 'ask')} for, ${evidence}, was my question of the last round; ` +
            'it stays on our list.',
        ]
      case 'notWait':
        return [
          `${who} ${verb(group, 'wants', 'want')} to see ${evidence} first. I understand the worry, ` +
            'but waiting has a price too: we can look at it while we begin.',
          `On ${evidence}, which ${who} ${verb(group, 'misses', 'miss')}: let us find that out on the way.`,
        ]
      case 'refuse':
        return [
          `${quoted} I do not follow there yet.`,
          `${quoted} I hear the reason, and would still do it differently.`,
        ]
      case 'ask':
        return [
          `${quoted} On what ground? I have not seen ${evidence}.`,
          `${quoted} It may be right, but it is a guess so far.`,
        ]
      case 'follow':
        return [`${who} ${verb(group, 'agrees', 'agree')} on “${inner(group.position)}”.`]
    }
  },
  silentPeer: (name, said) => `${name} gave no vote. What I take from it: “${inner(said)}”`,
  stance: {
    propose: ['My answer: {position}.', 'Let me be direct. {position}.'],
    yield: ['So I change my mind. {position}.', 'I give way. {position}.'],
    insist: ['I stay with my answer. {position}.'],
    keep: ['I stay with what we have: {position}.'],
    add: ['I would add {safeguard}.', 'What I miss is {safeguard}.'],
    trial: ['I lean to something smaller: {position}.'],
    join: ['My concern has been heard, so I agree. {position}.'],
    hold: ['I hold on to my version a little longer. {position}.'],
    object: ['I object, for now. {position}.', 'I am not convinced yet. {position}.'],
    askAgain: ['My question is still open, so I do not agree yet. {position}.'],
    convinced: ['I withdraw my objection.'],
  },
  because: {
    propose: [
      'We learn more about {term} by doing it than by another round of talk, and little of it cannot be undone.',
      'Half a decision about {term} costs more than a wrong one that we notice early.',
    ],
    yield: ['A decision that all of us carry is worth more than my own wording.'],
    insist: ['Nothing said so far makes {term} easier if we wait.'],
    keep: ['Nothing that was said since speaks against it.', 'It is clear, it is small, and it can be begun tomorrow.'],
    add: [
      'Without that, a mistake with {term} would be found late.',
      'With it, {term} may go wrong without hurting anybody.',
    ],
    trial: ['A small mistake with {term} teaches as much as a large one.'],
    join: ['It now holds {safeguard}, and that was what kept me back.'],
    hold: ['I have not heard anybody promise {safeguard}.'],
    object: [
      'Until then every answer about {term} is a matter of taste.',
      'We speak about {term} as if we knew it, and I would like to know it before I believe.',
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

  thought: (name, subject) => `I speak as ${name}. What matters in “${inner(subject)}”, and who has said what?`,
  plan: ['Read the question', 'Weigh what the others said', 'Say where I stand'],
  lookTitle: (term) => `Read the question for “${term}”`,
  lookResult: (count, terms) => `${count} words; what it turns on: ${terms.join(', ')}`,
  checkTitle: (term) => `Pretend to check “${term}” (a rehearsal: nothing is run)`,
  checkGranted: (evidence, count) =>
    `I was allowed to check, so here is ${evidence}, as far as a pretend check can tell: ` +
    `it went through the ${count} words of the question and found nothing that speaks against going ahead.`,
  checkDenied: (evidence) =>
    'I asked to run a check and was not allowed to, so I go on without it. ' +
    `${capital(evidence)} then becomes the first step of the work.`,
  note: (note) => `You added: “${inner(note)}”. I keep to that.`,
  askTitle: (term) => `Ask for permission because a directive says so (about “${term}”)`,
  askGranted: 'I asked for a permission and was given it.',
  askDenied: 'I asked for a permission and was refused; I go on without it.',
  goesOn: 'I go on from where I had stopped.',
  heartbeat: (second) => `Still thinking, ${second} s. `,
  firstSentence: (subject) => `Let me begin with the question itself. ${subject} `,
}

const list = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`

const verb = ({ names }: Group, one: string, many: string): string => (names.length === 1 ? one : many)

/** Quotation marks inside quotation marks. */
const inner = (text: string): string => text.replaceAll('“', '‘').replaceAll('”', '’')

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
