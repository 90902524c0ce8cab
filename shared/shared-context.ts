import type { Capsule } from './capsule.ts'
import { excerpt, oneLine } from './excerpt.ts'
import { sharedContextMaxCharacters, topicReminderMaxCharacters } from './limits.ts'
import { quote } from './prompt-sections.ts'

/** One earlier turn of a conversation: the person's, or an agent's by the name of its seat. */
export interface TranscriptTurn {
  speaker: 'person' | { seat: string; name: string }
  text: string
}

/** One whole entry as it stands in a prompt, and what it was made of. */
export interface SharedEntry {
  text: string
  source: string
}

interface SharedContext {
  capsules: SharedEntry[]
  turns: SharedEntry[]
  leftOut: number
}

/**
 * Fills `sharedContextMaxCharacters` with whole entries: the person's first and last turn, everybody's latest
 * capsule, other capsules, other turns, the newest first; then puts them back in order. What does not fit is left
 * out, and smaller ones after it may still fit.
 */
export const chooseShared = (capsules: readonly Capsule[], turns: readonly TranscriptTurn[]): SharedContext => {
  const candidates = [...weighTurns(turns), ...weighCapsules(capsules)]
  const chosen = new Set<Candidate>()
  let room = sharedContextMaxCharacters - headingsReserve
  for (const candidate of candidates.toSorted((a, b) => a.priority - b.priority || b.order - a.order)) {
    const size = candidate.entry.text.length + separator
    if (size > room) continue
    room -= size
    chosen.add(candidate)
  }
  const kept = candidates.filter((candidate) => chosen.has(candidate))
  return {
    turns: kept.filter(({ kind }) => kind === 'turn').map(({ entry }) => entry),
    capsules: kept.filter(({ kind }) => kind === 'capsule').map(({ entry }) => entry),
    leftOut: candidates.length - kept.length,
  }
}

interface Candidate {
  kind: 'turn' | 'capsule'
  entry: SharedEntry
  /** Lower goes first. */
  priority: number
  /** Where it stands in its own list. */
  order: number
}

/** Two headings with their notes. */
const headingsReserve = 1_000
const separator = 2

const weighTurns = (turns: readonly TranscriptTurn[]): Candidate[] => {
  const first = turns.findIndex(({ speaker }) => speaker === 'person')
  const last = turns.findLastIndex(({ speaker }) => speaker === 'person')
  return turns.map((turn, order) => {
    const always = order === first || order === last
    const text = always ? excerpt(turn.text, topicReminderMaxCharacters) : turn.text
    return { kind: 'turn', entry: writeTurn({ ...turn, text }, order + 1), priority: always ? 0 : 3, order }
  })
}

const weighCapsules = (capsules: readonly Capsule[]): Candidate[] => {
  const latest = new Map(capsules.map((capsule) => [capsule.seat, capsule]))
  return capsules.map((capsule, order) => ({
    kind: 'capsule',
    entry: writeCapsule(capsule),
    priority: latest.get(capsule.seat) === capsule ? 1 : 2,
    order,
  }))
}

const writeTurn = ({ speaker, text }: TranscriptTurn, number: number): SharedEntry => {
  const who = speaker === 'person' ? 'The person' : nameSpeaker(speaker)
  return { text: `## Turn ${number}\n- From: ${who}\n${quote(text)}`, source: `turn ${number} of ${who}` }
}

/** How a capsule is written; `readPrompt` reads it back. */
const writeCapsule = (capsule: Capsule): SharedEntry => {
  const lines = [
    `## Capsule ${capsule.attemptId}`,
    `- From: ${nameSpeaker(capsule)}`,
    `- Round: ${capsule.round}`,
    `- Vote: ${capsule.choice ?? 'none'}`,
    ...(capsule.position === null ? [] : [`- Position: ${oneLine(capsule.position, 200)}`]),
    `- Changed: ${capsule.changed ? 'yes' : 'no'}`,
    ...capsule.evidence.map((title) => `- Evidence: ${oneLine(title, 200)}`),
    quote(capsule.conclusion),
  ]
  return { text: lines.join('\n'), source: `capsule ${capsule.attemptId}` }
}

const nameSpeaker = ({ seat, name }: { seat: string; name: string }): string =>
  `${oneLine(name, 120)}, seat ${JSON.stringify(seat)}`
