import { stripVTControlCharacters } from 'node:util'
import type { AttemptRecord, AttemptStatus } from '../../../shared/attempt.ts'
import { nameOfAgent as namesOf, type AgentId } from '../../../shared/agent.ts'
import type { GateOption } from '../../../shared/gate.ts'
import type { RunStatus } from '../../../shared/run.ts'
import type { StateValue } from '../../../shared/ledger.ts'

/** Text from outside, without anything that a terminal would obey. Line ends and tabs stay. */
export const harmless = (text: string): string =>
  stripVTControlCharacters(text).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '')

/** The same on one line. */
export const oneLine = (text: string): string => harmless(text).replace(/\s+/g, ' ').trim()

export const nameOfAgent = (agent: AgentId): string => namesOf(agent).name

/** `{ conferring: 'discussing' }` as `conferring · discussing`. */
export const pathOf = (value: StateValue): string => partsOf(value).map(inWords).join(' · ')

/** The innermost state. */
export const leafOf = (value: StateValue): string => partsOf(value).at(-1) ?? ''

const partsOf = (value: StateValue): string[] => {
  if (typeof value === 'string') return [value]
  // no chart here is in two regions at once, so there is one way down
  const [first] = Object.entries(value)
  return first ? [first[0], ...partsOf(first[1])] : []
}

/** `awaitingGate` as `awaiting gate`. */
export const inWords = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

export const markOf = (state: string): string => marks[state] ?? '●'

const marks: Readonly<Record<string, string>> = {
  queued: '○',
  launching: '◔',
  awaitingGate: '?',
  deciding: '?',
  ending: '◌',
  stopping: '◌',
  overdue: '!',
  backingOff: '↻',
  parked: '‖',
  paused: '‖',
  held: '‖',
  completed: '✓',
  agreed: '✓',
  tallied: '✓',
  partial: '◐',
  roundsUp: '◐',
  failed: '✗',
  timedOut: '✗',
  refused: '✗',
  budgetSpent: '✗',
  stopped: '■',
  interrupted: '↯',
  skipped: '–',
} satisfies Partial<Record<AttemptStatus | RunStatus | 'tallied' | 'deciding' | 'paused' | 'held' | 'refused', string>>

export type Tone = 'plain' | 'live' | 'good' | 'bad' | 'asks' | 'quiet'

export const toneOf = (state: string): Tone => tones[state] ?? 'live'

const tones: Readonly<Record<string, Tone>> = {
  queued: 'quiet',
  skipped: 'quiet',
  stopped: 'quiet',
  completed: 'good',
  agreed: 'good',
  tallied: 'good',
  failed: 'bad',
  timedOut: 'bad',
  refused: 'bad',
  budgetSpent: 'bad',
  interrupted: 'bad',
  overdue: 'bad',
  awaitingGate: 'asks',
  deciding: 'asks',
  parked: 'asks',
  paused: 'asks',
  held: 'asks',
}

/** What an agent said of its position, in a few words. */
export const voteInWords = ({ vote, noVote }: Pick<AttemptRecord, 'vote' | 'noVote'>): string => {
  if (!vote) return noVote ? `no vote (${inWords(noVote)})` : ''
  const changed = vote.changed ? ', changed its mind' : ''
  return `${vote.choice === 'agree' ? 'agrees' : 'wants to go on'}${changed}: “${oneLine(vote.position)}”`
}

export const optionInWords = ({ name, position }: Pick<GateOption, 'name' | 'position'>): string => {
  const words = optionWords[name] ?? inWords(name)
  return position ? `${words} “${oneLine(position)}”` : words
}

const optionWords: Readonly<Record<string, string>> = {
  allowOnce: 'Allow once',
 
  deny: 'Deny',
  denyWithNote: 'Deny, with a note',
  tryAgain: 'Try again',
  goOn: 'Go on',
  stop: 'Stop',
  accept: 'Accept',
}

/** How a run ended, as a sentence for the person. */
export const endInWords = (status: RunStatus): string => endSentences[status]

const endSentences: Readonly<Record<RunStatus, string>> = {
  running: 'It is still running.',
  holding: 'It waits for you.',
  stopping: 'It is being stopped.',
  agreed: 'They agree.',
  completed: 'Everybody has answered.',
  partial: 'Some have answered, others have not.',
  roundsUp: 'The rounds are up and they do not agree.',
  failed: 'It failed: nobody answered.',
  budgetSpent: 'It was ended: the limit of attempts was reached.',
  stopped: 'It was stopped.',
  interrupted: 'It was interrupted.',
}
