/** The heart of a question: two things to choose between, something to do or not, or something to find or do. */
export type Core =
  | { type: 'choice'; options: readonly [string, string] }
  | { type: 'action'; action: string }
  | { type: 'goal'; goal: string }
  | { type: 'question'; question: string }
  | { type: 'statement'; statement: string }

type Terms = readonly [string, ...string[]]
type Lines = readonly [string, ...string[]]

/** How a peer's last position is met. */
export type Reaction = 'same' | 'takeOver' | 'answer' | 'weigh' | 'refuse' | 'ask' | 'convinced'

/** Everything the rehearsal agent can say, in one language. */
export interface Words {
  emptySubject: string
  terms(topic: string): string[]
  count(topic: string): number
  core(subject: string): Core
  propose(core: Core, number: number): string
  trial(core: Core): string
  safeguards(terms: Terms): Lines
  evidence(terms: Terms): Lines

  withCondition(position: string, condition: string): string
  conditionOf(position: string): string | null
  demand(evidence: string): string
  demandOf(position: string): string | null
  checkedFirst(evidence: string): string

  label: string
  restate: Lines
  nobodyYet: string
  react(reaction: Reaction, peer: { name: string; position: string }, evidence: string): Lines
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
  checkGranted(evidence: string, count: number, term: string): string
  checkDenied(evidence: string): string
  note(note: string): string
  askTitle(term: string): string
  askGranted: string
  askDenied: string
  goesOn: string
  heartbeat(second: number): string
  firstSentence(subject: string): string
}

/** In which manner a stance is put. `{position}`, `{term}`, `{safeguard}`, `{evidence}` and `{subject}` are filled in. */
export type Manner = 'propose' | 'yield' | 'insist' | 'weigh' | 'join' | 'hold' | 'object' | 'askAgain' | 'convinced'

/** Fills `{name}` places. */
export const fill = (line: string, values: Readonly<Record<string, string>>): string =>
  line.replaceAll(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place)
