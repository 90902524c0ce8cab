import type { Readiness } from '../../../shared/agent.ts'
import type { PlanEntry, ToolKind, ToolStatus } from '../../../shared/agent-event.ts'
import type { AttemptStatus } from '../../../shared/attempt.ts'
import type { DeliveryRecord } from '../../../shared/delivery.ts'
import type { GateEndReason, GateKind } from '../../../shared/gate.ts'
import type { RunStatus, StopKind } from '../../../shared/run.ts'
import type { NoVote } from '../../../shared/vote.ts'
import type * as z from 'zod'

export const readiness: Record<Readiness, string> = {
  checking: 'checking',
  notInstalled: 'not installed',
  installed: 'installed',
  incompatible: 'incompatible',
  needsLogin: 'needs login',
  ready: 'ready',
  recentlyVerified: 'ready, used lately',
}

export const attempt: Record<AttemptStatus, string> = {
  queued: 'queued',
  launching: 'starting',
  streaming: 'streaming',
  awaitingGate: 'needs you',
  resuming: 'going on',
  ending: 'stopping',
  overdue: 'does not end',
  settling: 'settling',
  backingOff: 'backing off',
  parked: 'needs you',
  completed: 'done',
  partial: 'in part',
  failed: 'failed',
  timedOut: 'timed out',
  stopped: 'stopped',
  interrupted: 'interrupted',
  skipped: 'skipped',
}

export const run: Record<RunStatus, string> = {
  running: 'running',
  holding: 'on hold',
  stopping: 'stopping',
  agreed: 'agreed',
  completed: 'done',
  partial: 'in part',
  roundsUp: 'rounds are up',
  failed: 'failed',
  budgetSpent: 'budget spent',
  stopped: 'stopped',
  interrupted: 'interrupted',
}

export const stopKind: Record<StopKind, string> = {
  person: 'You stopped it.',
  shutdown: 'Parley was closed.',
  accepted: 'You accepted a position.',
  breaker: 'It reached the most attempts that one run may make.',
}

export const noVote: Record<NoVote, string> = {
  missing: 'it gave none',
  malformed: 'it could not be read',
  ambiguous: 'it gave more than one',
  foreign: 'it repeated someone else’s',
  notLast: 'it was not at the end',
}

export const gateEnd: Record<z.infer<typeof GateEndReason>, string> = {
  expired: 'Nobody answered in time.',
  askerGone: 'Whoever asked is gone.',
  askerLost: 'Whoever asked was lost in the restart.',
  withdrawn: 'It was taken back.',
  undeliverable: 'The answer could not be delivered.',
}

export const gateKind: Record<GateKind, string> = {
  permission: 'Permission',
  budget: 'Budget',
  decision: 'Decision',
  retry: 'Retry',
  input: 'Question',
}

export const toolKind: Record<ToolKindName, string> = {
  read: 'read',
  edit: 'edit',
  execute: 'run',
  search: 'search',
  fetch: 'fetch',
  think: 'think',
  other: 'tool',
}
type ToolKindName = z.infer<typeof ToolKind>
export const toolStatus: Record<z.infer<typeof ToolStatus>, string> = {
  running: 'running',
  done: 'done',
  failed: 'failed',
  denied: 'denied',
  cancelled: 'cancelled',
}

export const planStatus: Record<z.infer<typeof PlanEntry>['status'], string> = {
  pending: 'to do',
  inProgress: 'doing',
  done: 'done',
}

export const session: Record<DeliveryRecord['session'], string> = {
  new: 'new',
  resumed: 'resumed',
  rebuilt: 'rebuilt',
  continued: 'continued',
}
