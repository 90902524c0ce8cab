/** The heart of a question: two things to choose between, something to do or not, or something to find or do. */
export type Core =
  | { type: 'choice'; options: readonly [string, string] }
  | { type: 'action'; action: string }
  | { type: 'goal'; goal: string }
  | { type: 'question'; question: string }
  | { type: 'statement'; statement: string }

type Terms = readonly [string, ...string[]]
type Lines = readonly [string, ...string[]]

/** How peers who hold the same position are met. */
export type Reaction =
  'same' | 'takeOver' | 'buildIn' | 'add' | 'lookInto' | 'lookedInto' | 'notWait' | 'refuse' | 'ask' | 'follow'

/** In which manner a stance is put. */
export type Manner =
  'propose' | 'yield' | 'insist' | 'keep' | 'add' | 'trial' | 'join' | 'hold' | 'object' | 'askAgain' | 'convinced'

/** Those who hold one position; `condition` is what it adds to a proposal. */
export interface Group {
  names: readonly string[]
  position: string
  condition: string | null
}

/**
 * Everything the rehearsal agent can say, in one language. Lines have places to fill: `{position}`, `{term}`,
 * `{safeguard}`, `{evidence}` and `{subject}`.
 */
export interface Words {
  emptySubject: string
  /** The topic's own terms, the most telling first; may be empty. */
  terms(topic: string, subject: string): string[]
  count(topic: string): number
  core(subject: string): Core
  propose(core: Core): Lines
  trial(core: Core): string
  safeguards(terms: Terms): Lines
  evidence(terms: Terms): Lines

  /** These go together: what one writes into a position the other finds in it. */
  withCondition(position: string, condition: string): string
  conditionOf(position: string): string | null
  demand(evidence: string): string
  demandOf(position: string): string | null
  checkedFirst(evidence: string): string

  label: string
  restate: Lines
  nobodyYet: string
  react(reaction: Reaction, group: Group, evidence: string): Lines
  silentPeer(name: string, said: string): string
  stance: Readonly<Record<Manner, Lines>>
  because: Readonly<Record<Manner, Lines>>
  forced: Readonly<Record<'agree' | 'disagree', string>>
  closing: Readonly<Record<'agree' | 'continue' | 'none', Lines>>

  thought(name: string, subject: string): string
  plan: readonly [string, string, string]
  lookTitle(term: string): string
  lookResult(count: number, terms: readonly string[]): string
  checkTitle(term: string): string
  checkGranted(evidence: string, count: number): string
  checkDenied(evidence: string): string
  note(note: string): string
  askTitle(term: string): string
  askGranted: string
  askDenied: string
  goesOn: string
  heartbeat(second: number): string
  firstSentence(subject: string): string
}

/** Fills the places of a line. */
export const fill = (line: string, values: Readonly<Record<string, string>>): string =>
  line.replaceAll(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place)
