import { type PromptDecision, promptHeadings, type PromptParts, type PromptSeat } from './prompt.ts'
import { readSections, type Section } from './prompt-sections.ts'
import { readCodeWord } from './vote-text.ts'

/** What a prompt says, read back from its text. */
export interface ReadPrompt {
  kind: PromptParts['kind']
  /** Shortened in a continuation when it was long. */
  topic: string
  you: PromptSeat | null
  peers: PromptSeat[]
  round: number
  rounds: number | null
  blind: boolean
  consensus: boolean
  allowWrite: boolean
  nonce: string | null
  ownPosition: string | null
  /** The latest that each peer said, in the order of their last turns. */
  positions: PeerPosition[]
  decision: PromptDecision | null
  followUp: boolean
}

export interface PeerPosition extends PromptSeat {
  attemptId: string
  round: number
  choice: 'agree' | 'continue' | null
  position: string | null
  conclusion: string
}

/** Reads a prompt made by `composePrompt`; any other text is a direct message. */
export const readPrompt = (text: string): ReadPrompt => {
  const sections = text.startsWith(`# ${promptHeadings.turn}\n- Kind: `) ? readSections(text) : []
  const [turn] = sections
  const topic = find(sections, promptHeadings.topic)
  if (!turn || !topic) return { ...plainMessage, topic: text }
  const you = readSeat(fact(turn, 'You'))
  const [round, rounds] = (fact(turn, 'Round') ?? '1 of 1').split(' of ')
  return {
    kind: readKind(fact(turn, 'Kind')),
    topic: topic.quotes[0] ?? '',
    you,
    peers: (turn.facts.get('Peer') ?? []).map(readSeat).filter((seat) => seat !== null),
    round: Number(round),
    rounds: Number.isNaN(Number(rounds)) ? null : Number(rounds),
    blind: fact(turn, 'Order')?.startsWith('blind') ?? false,
    consensus: fact(turn, 'Agreement') === 'sought',
    allowWrite: fact(turn, 'Mode')?.startsWith('write') ?? false,
    nonce: readCodeWord(find(sections, promptHeadings.vote)?.lines ?? []),
    ownPosition: fact(turn, 'Your last position') || null,
    positions: readPositions(sections, you),
    decision: readDecision(find(sections, promptHeadings.decision)),
    followUp: turn.facts.has('Follow up'),
  }
}

const plainMessage: Omit<ReadPrompt, 'topic'> = {
  kind: 'direct',
  you: null,
  peers: [],
  round: 1,
  rounds: 1,
  blind: false,
  consensus: false,
  allowWrite: false,
  nonce: null,
  ownPosition: null,
  positions: [],
  decision: null,
  followUp: false,
}

const find = (sections: readonly Section[], heading: string): Section | undefined =>
  sections.find((section) => section.heading === heading)

const fact = (section: Section, key: string): string | undefined => section.facts.get(key)?.[0]

const readKind = (word: string | undefined): PromptParts['kind'] =>
  word === 'bootstrap' || word === 'continuation' || word === 'resumption' ? word : 'direct'

const readSeat = (line: string | undefined): PromptSeat | null => {
  const [, name, encoded] = /^(.*), seat (".*")$/.exec(line ?? '') ?? []
  if (name === undefined || encoded === undefined) return null
  const seat = readQuoted(encoded)
  return seat === null ? null : { seat, name }
}

const readQuoted = (encoded: string): string | null => {
  try {
    const text: unknown = JSON.parse(encoded)
    return typeof text === 'string' ? text : null
  } catch {
    return null
  }
}

const readPositions = (sections: readonly Section[], you: PromptSeat | null): PeerPosition[] => {
  const latest = new Map<string, PeerPosition>()
  for (const section of sections) {
    const said = section.heading.startsWith('Capsule ') ? readPosition(section) : null
    if (!said || said.seat === you?.seat) continue
    latest.delete(said.seat)
    latest.set(said.seat, said)
  }
  return [...latest.values()]
}

const readPosition = (section: Section): PeerPosition | null => {
  const speaker = readSeat(fact(section, 'From'))
  const vote = fact(section, 'Vote')
  if (!speaker) return null
  return {
    ...speaker,
    attemptId: section.heading.slice('Capsule '.length),
    round: Number(fact(section, 'Round')),
    choice: vote === 'agree' || vote === 'continue' ? vote : null,
    position: fact(section, 'Position') ?? null,
    conclusion: section.quotes[0] ?? '',
  }
}

const readDecision = (section: Section | undefined): PromptDecision | null =>
  section
    ? {
        title: fact(section, 'Asked') ?? '',
        effect: fact(section, 'Answer')?.startsWith('granted') ? 'grant' : 'deny',
        note: section.quotes[0] ?? null,
      }
    : null
