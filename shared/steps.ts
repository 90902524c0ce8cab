/** What kinds of steps reach beyond this process, or make something that a person is then shown. */
type StepKind =
  /** One statement within a transaction: nothing is stored by it alone. */
  | 'statement'
  /** A transaction, or a statement without one: stored from then on. */
  | 'commit'
  /** The disk is waited for. */
  | 'sync'
  /** A file or folder beside the database is made, written, renamed or removed. */
  | 'file'
  | 'spawn'
  /** A gate is opened, answered, withdrawn or its decision delivered. */
  | 'gate'
  /** A message of a person, or a finished turn, becomes part of the transcript. */
  | 'message'

/** `of` tells a reader which one; no content is in it. */
export interface Step {
  kind: StepKind
  of: string
}

/**
 * Stands around each step and gives back what `work` gives; a promise where the step takes its time. Tests put another
 * one in its place, which fails a step as the system would, holds it up, or ends the process before or after it.
 */
export type Around = <Result>(step: Step, work: () => Result) => Result

/** Nothing but the work itself. */
export const straight: Around = (_step, work) => work()
