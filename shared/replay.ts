import * as z from 'zod'
import { Id } from './ids.ts'
import { MachineName, StateValue } from './ledger.ts'
import { RunStatus } from './run.ts'

/** One transition, as far as a replay compares it. */
export const ReplayStep = z.object({
  machine: MachineName,
  actor: Id,
  type: z.string(),
  from: StateValue.nullable(),
  value: StateValue,
  /** The choices it went through on its way. */
  via: z.array(StateValue),
})
export type ReplayStep = z.infer<typeof ReplayStep>

/** Where a replay found something: a transition of the run, or of one of its gates. */
const Place = { rootId: Id, seq: z.number().int().nonnegative() }

/** Why a run cannot be replayed from some event on. It says nothing about whether it would be equal. */
export const ReplayObstacle = z.enum([
  'otherVersion', 'eventsMissing', 'tableUnknown', 'causeOmitted', 'actorBroke', 'gateUnknown', 'promptUnknown',
  'detailCompacted', 'textsReplaced', 'endedOutside',
])
export type ReplayObstacle = z.infer<typeof ReplayObstacle>

/** The first thing that came out differently, or could not be compared. `null` for what was not there at all. */
export const ReplayFinding = z.discriminatedUnion('what', [
  z.object({ what: z.literal('state'), ...Place, expected: ReplayStep.nullable(), actual: ReplayStep.nullable() }),
  /** The first line of a prompt that differs, counted from one. */
  z.object({
    what: z.literal('prompt'),
    ...Place,
    deliveryId: Id,
    line: z.number().int().positive(),
    expected: z.string().nullable(),
    actual: z.string().nullable(),
  }),
  z.object({ what: z.literal('end'), ...Place, expected: RunStatus, actual: RunStatus }),
  z.object({ what: z.literal('obstacle'), ...Place, because: ReplayObstacle }),
])
export type ReplayFinding = z.infer<typeof ReplayFinding>

/** What came of running our own orchestration once more over what was recorded: no agent, no network. */
export const ReplayResult = z.object({
  /** How many transitions and prompts came out as recorded. */
  events: z.number().int().nonnegative(),
  prompts: z.number().int().nonnegative(),
  /** `null`: all of them, and in the same order. */
  finding: ReplayFinding.nullable(),
})
export type ReplayResult = z.infer<typeof ReplayResult>
