import type { Persona } from '../../shared/agent.ts'
import { oneLine } from '../../shared/excerpt.ts'
import { positionMaxCharacters } from '../../shared/limits.ts'
import type { PeerPosition, ReadPrompt } from '../../shared/read-prompt.ts'
import type { Material } from './material.ts'
import type { Group, Manner, Reaction } from './words.ts'

/** Where a persona stands in one turn, and how it meets what its peers said last. */
export interface Stance {
  choice: 'agree' | 'continue'
  position: string
  changed: boolean
  manner: Manner
  reactions: { group: Group; reaction: Reaction; evidence: string }[]
}

type Heard = PeerPosition & { position: string }

/** What a persona decides by: the prompt alone, so that a new process of it goes on as the old one would have. */
interface Table {
  round: number
  mine: string | null
  others: Heard[]
  material: Material
}

/** Takes the position that the persona's rule gives for this prompt. */
export const takeStance = (persona: Persona, prompt: ReadPrompt, material: Material): Stance => {
  const others = prompt.positions.filter((peer): peer is Heard => peer.position !== null)
  const table: Table = { round: prompt.round, mine: prompt.ownPosition, others, material }
  const decision = rules[persona](table)
  return {
    ...decision,
    position: oneLine(decision.position, positionMaxCharacters),
    changed: table.mine !== null && !isSame(table.mine, decision.position),
    reactions: groupByPosition(others, material).map((group) => ({
      group,
      reaction: react(persona, group, decision, table),
      evidence: material.words.demandOf(group.position) ?? material.evidence,
    })),
  }
}

/** The stance of a persona that was told what to vote. */
export const forceStance = (stance: Stance, forced: 'agree' | 'disagree', prompt: ReadPrompt): Stance => {
  if (forced === 'agree') return { ...stance, choice: 'agree' }
  const position = prompt.ownPosition ?? stance.position
  return { ...stance, choice: 'continue', position, changed: false, manner: 'insist' }
}

type Decision = Pick<Stance, 'choice' | 'position' | 'manner'>

/**
 * Bold proposes one decisive answer and lets the others speak. From its second word on it
 * 1. yields when two peers share another position;
 * 2. takes over a peer's version of its own proposal, whatever was added to it;
 * 3. builds in what one peer asks for, once;
 * 4. from round three on joins whatever a peer has agreed to: a decision is better than the perfect one;
 * and otherwise stands by its proposal. It agrees in each of these cases.
 */
const bold = ({ round, mine, others, material }: Table): Decision => {
  const { words } = material
  if (mine === null || round === 1) return { choice: 'continue', position: material.proposal, manner: 'propose' }
  const shared = sharedPosition(others)
  if (shared && !isSame(shared, mine)) return { choice: 'agree', position: shared, manner: 'yield' }
  const extended = others.find(({ position }) => isExtension(position, mine))
  if (extended) return { choice: 'agree', position: extended.position, manner: 'yield' }
  const condition = words.conditionOf(mine) === null ? askedFor(others, material) : null
  if (condition) return { choice: 'agree', position: words.withCondition(mine, condition), manner: 'yield' }
  const joined = round >= 3 ? agreedPosition(others) : null
  if (joined && !isSame(joined, mine)) return { choice: 'agree', position: joined, manner: 'yield' }
  const isShared = others.some(({ position }) => isSame(position, mine))
  return { choice: 'agree', position: mine, manner: isShared ? 'keep' : 'insist' }
}

/**
 * Careful puts its concern to the first proposal it hears, or proposes a trial where there is none. From its second
 * word on it
 * 1. joins a position that has its concern in it: that has then been stated twice, by itself and by a peer;
 * 2. from round three on joins what two peers share, or what a peer has agreed to;
 * 3. stands by its own where the others have only objections, and agrees;
 * and otherwise holds on to its own and asks for another round.
 */
const careful = ({ round, mine, others, material }: Table): Decision => {
  const { words } = material
  const proposals = others.filter(({ position }) => words.demandOf(position) === null)
  if (mine === null || round === 1) {
    const base = proposals.find(({ position }) => words.conditionOf(position) === null)?.position
    const position = words.withCondition(base ?? material.trial, material.safeguard)
    return { choice: 'continue', position, manner: base === undefined ? 'trial' : 'add' }
  }
  const answered = proposals.findLast(({ position }) => holds(position, material.safeguard))
  if (answered) return { choice: 'agree', position: answered.position, manner: round <= 2 ? 'join' : 'keep' }
  const joined = round >= 3 ? (sharedPosition(others) ?? agreedPosition(others)) : null
  if (joined) return { choice: 'agree', position: joined, manner: isSame(joined, mine) ? 'keep' : 'yield' }
  if (proposals.length === 0) return { choice: 'agree', position: mine, manner: 'insist' }
  return { choice: 'continue', position: mine, manner: 'hold' }
}

/**
 * Sceptic objects in round one and asks for evidence in round two. From round three on it agrees with what a peer has
 * agreed to, if its objection has been taken up: its evidence is in that position or in a peer's words, or it has
 * asked three times. As long as nobody agrees to anything, it does not either.
 */
const sceptic = ({ round, mine, others, material }: Table): Decision => {
  const demand = material.words.demand(material.evidence)
  if (round === 1 || mine === null) return { choice: 'continue', position: demand, manner: 'object' }
  const agreed = round >= 3 ? agreedPosition(others) : null
  const isNamed = others.some(({ position, conclusion }) => holds(`${position} ${conclusion}`, material.evidence))
  if (agreed && (isNamed || round >= 4)) return { choice: 'agree', position: agreed, manner: 'convinced' }
  return { choice: 'continue', position: isSame(mine, demand) ? demand : mine, manner: 'askAgain' }
}

const rules: Readonly<Record<Persona, (table: Table) => Decision>> = { bold, careful, sceptic }

const react = (persona: Persona, group: Group, decision: Decision, { mine, round, material }: Table): Reaction => {
  const { words } = material
  if (isSame(group.position, decision.position)) {
    if (persona === 'sceptic') return 'follow'
    return mine !== null && isSame(mine, group.position) ? 'same' : 'takeOver'
  }
  if (persona === 'sceptic') return 'ask'
  const missing = words.demandOf(group.position)
  if (missing !== null && holds(decision.position, words.checkedFirst(missing))) return 'buildIn'
  if (missing !== null && persona === 'careful') return round <= 2 ? 'lookInto' : 'lookedInto'
  if (missing !== null) return 'notWait'
  if (group.condition !== null && holds(decision.position, group.condition)) return 'takeOver'
  return isExtension(decision.position, group.position) ? 'add' : 'refuse'
}

const groupByPosition = (others: readonly Heard[], { words }: Material): Group[] => {
  const groups = Map.groupBy(others, ({ position }) => plain(position))
  return [...groups.values()].map((peers) => {
    const position = peers[0]?.position ?? ''
    return { names: peers.map(({ name }) => name), position, condition: words.conditionOf(position) }
  })
}

/** A position that two of them share, the newest first. */
const sharedPosition = (others: readonly Heard[]): string | null => {
  const isShared = (peer: Heard) => others.some((other) => other !== peer && isSame(other.position, peer.position))
  return others.findLast(isShared)?.position ?? null
}

/** What most of those who agree agree to; the newest where they are as many. */
const agreedPosition = (others: readonly Heard[]): string | null => {
  const agreeing = others.filter(({ choice }) => choice === 'agree')
  return sharedPosition(agreeing) ?? agreeing.at(-1)?.position ?? null
}

const askedFor = (others: readonly Heard[], material: Material): string | null =>
  others.map((peer) => wishOf(peer, material)).find((wish) => wish !== null) ?? null

/** What a peer wants to have in an answer: the condition it names, or the evidence it misses. */
const wishOf = ({ position }: Heard, { words }: Material): string | null => {
  const missing = words.demandOf(position)
  return missing === null ? words.conditionOf(position) : words.checkedFirst(missing)
}

const isExtension = (position: string, base: string): boolean => plain(position).startsWith(`${plain(base)} `)

const holds = (text: string, part: string): boolean => plain(text).includes(plain(part))

const isSame = (one: string, other: string): boolean => plain(one) === plain(other)

/** Peers quote each other in their own punctuation. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
