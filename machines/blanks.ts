import type { AgentId } from '../shared/agent.ts'
import type { Failure } from '../shared/errors.ts'
import type { GateAsk, GateDecision, GateEndReason } from '../shared/gate.ts'
import type { RunPolicy, Seat } from '../shared/run.ts'
import type { NoVote, Vote } from '../shared/vote.ts'
import type { RunEnd, RunRecord } from '../shared/run.ts'
import { unprovided, type ActorKind } from './unprovided.ts'

/**
 * A clock: says `event` at an absolute time, once, counting awake time only; `null` is never.
 * Never speaks while it is being started, even when its time is past.
 */
export type DeadlineInput = { at: number | null; event: string }
/** Events any actor sends always carry `at`, in milliseconds since 1970. */
export type Stamped<Event extends { type: string }> = Event & { at: number }

export type GateFollower = { gateId: string; ask: GateAsk | null }
export type GateFact = Stamped<
  | { type: 'gate.answered'; gateId: string; decision: GateDecision }
  | { type: 'gate.closed'; gateId: string; reason: GateEndReason }
>

/** What an asker that leaves its gate unanswered says through its follower, which passes it on to the gate as it is. */
export type GateOrder = Stamped<
  | { type: 'gate.withdraw' }
  | { type: 'asker.gone'; reason: 'askerGone' | 'askerLost' }
>

export type AgentRun = {
  attemptId: string
  runId: string
  conversationId: string
  round: number
  seat: string
  agent: AgentId
  allowWrite: boolean
  try: number
  /** A new native session, even where one is known. */
  fresh: boolean
  /** The gate whose decision a new process goes on with, after a restart. */
  continues: { gateId: string; decision: GateDecision } | null
}
export type AgentFact = Stamped<
  | { type: 'agent.started'; pid: number; startedAt: number }
  | { type: 'agent.asked'; gateId: string }
  | { type: 'agent.finished'; stop: 'completed' | 'refused' | 'cancelled' }
  | { type: 'agent.failed'; failure: Failure }
  /** The operating system says the whole tree is gone. `began` tells whether a prompt was delivered at all. */
  | { type: 'agent.gone'; began: boolean }
  | Lost
>
/** An outside effect of an earlier start; `failure` where that did not end by a restart but for this reason. */
type Lost = { type: 'attempt.lost'; failure?: Failure }
export type AgentOrder =
  | { type: 'agent.stop' }
  | { type: 'agent.kill' }
  | { type: 'gate.deliver'; gateId: string; decision: GateDecision }

export type KeepReply = { attemptId: string; runId: string; round: number; seat: string }
export type ReplyFact = Stamped<
  | { type: 'reply.kept'; vote: Vote | null; noVote: NoVote | null; textLength: number; denials: number }
  | { type: 'reply.unkept'; failure: Failure }
>

export type Lease = { attemptId: string; runId: string; conversationId: string; allowWrite: boolean }
export type LeaseOrder = { type: 'lease.suspend' } | { type: 'lease.resume' }
export type LeaseFact = Stamped<{ type: 'lease.granted' } | Lost>

export type Silence = { attemptId: string; silenceMs: number }

/** `outside` */ export const runAgent = unprovided<AgentOrder, AgentRun>('runAgent')
/** `outside` */ export const holdLease = unprovided<LeaseOrder, Lease>('holdLease')
/** `outside`: does nothing but say, after a restart, that there was one. Sends the event named in its input. */
export const watchBoot = unprovided<{ type: 'none' }, { event: string }>('watchBoot')
/** `clock`: says agent.silent when nothing came out for `silenceMs` of awake time. */
export const watchSilence = unprovided<{ type: 'none' }, Silence>('watchSilence')
/** `clock` */ export const deadline = unprovided<{ type: 'none' }, DeadlineInput>('deadline')
/** `ledger`: strips and reads the vote, writes message and capsule; idempotent by attempt. */
export const keepReply = unprovided<{ type: 'none' }, KeepReply>('keepReply')
/** `ledger`: opens the gate when `ask` is given and it is not there yet, and follows it. Takes a `GateOrder`. */
export const followGate = unprovided<GateOrder, GateFollower>('followGate')

export type Preflight = { runId: string; conversationId: string; agents: readonly AgentId[] }
/** `outside`: workdir, agents, sizes. preflight.passed | preflight.refused {failure} */
export const preflight = unprovided<{ type: 'none' }, Preflight>('preflight')
export type PreflightFact = Stamped<
  | { type: 'preflight.passed' }
  | { type: 'preflight.refused'; failure: Failure }
  | { type: 'run.lost' }
>
export type AcceptTask = { record: RunRecord }
/** `ledger`: message, topic and run row in one transaction. task.accepted | task.unrecorded {failure} */
export const acceptTask = unprovided<{ type: 'none' }, AcceptTask>('acceptTask')
export type TaskFact = Stamped<{ type: 'task.accepted' } | { type: 'task.unrecorded'; failure: Failure }>
export type WriteMinutes = { runId: string; conclusion: RunEnd }
export type MinutesFact = Stamped<{ type: 'minutes.written' } | { type: 'minutes.unwritten'; failure: Failure }>
/** `ledger`: settles the run row. minutes.written | minutes.unwritten {failure} */
export const writeMinutes = unprovided<{ type: 'none' }, WriteMinutes>('writeMinutes')

export type ReachAsker = { gateId: string; asker: GateAsk['asker'] }
export type AskerFact = Stamped<{ type: 'asker.ready' } | { type: 'asker.gone'; reason?: 'askerGone' | 'askerLost' }>
/** `ledger`: asker.ready | asker.gone */
export const reachAsker = unprovided<{ type: 'none' }, ReachAsker>('reachAsker')
export type ApplyDecision = { gateId: string; asker: GateAsk['asker']; decision: GateDecision }
export type DeliveryFact = Stamped<{ type: 'decision.applied' } | { type: 'decision.failed' } | { type: 'gate.lost' }>
/** `outside`: hands the decision to the asker's followGate; gate.lost after a restart */
export const applyDecision = unprovided<{ type: 'none' }, ApplyDecision>('applyDecision')

export type LifecycleFact = Stamped<
  | { type: 'stores.opened' }
  | { type: 'stores.untrusted'; failure: Failure }
  | { type: 'work.restored' }
  | { type: 'disk.writable' }
  | { type: 'quit.surveyed'; running: number }
  | { type: 'work.rested' }
  | { type: 'work.ended' }
  | { type: 'children.gone' }
  | { type: 'stores.closed' }
>
/** Lifecycle: `outside` effects of opening, restoring, surveying, waiting, draining, killing and closing. */
export const openStores = unprovided<{ type: 'none' }, Record<string, never>>('openStores')
export const restoreWork = unprovided<{ type: 'none' }, Record<string, never>>('restoreWork')
export const awaitDisk = unprovided<{ type: 'none' }, Record<string, never>>('awaitDisk')
export const reopenWork = unprovided<{ type: 'none' }, Record<string, never>>('reopenWork')
export const surveyWork = unprovided<{ type: 'none' }, Record<string, never>>('surveyWork')
/** Says work.rested once quitting would interrupt nothing. */
export const watchWork = unprovided<{ type: 'none' }, Record<string, never>>('watchWork')
export const endWork = unprovided<{ type: 'none' }, Record<string, never>>('endWork')
/** Says children.gone once no process of ours lives. */
export const killChildren = unprovided<{ type: 'none' }, Record<string, never>>('killChildren')
export const closeStores = unprovided<{ type: 'none' }, Record<string, never>>('closeStores')

export type InstallTask = { taskId: string; agent: AgentId }
export type InstallFact = Stamped<
  | { type: 'install.checked' }
  | { type: 'package.verified' }
  | { type: 'package.fetched' }
  | { type: 'package.installed' }
  | { type: 'install.confirmed' }
  | { type: 'install.failed'; failure: Failure }
  | { type: 'install.cleared' }
  | { type: 'install.uncleared'; failure: Failure }
>
/** `outside`: a fresh look for the agent, the system, npm. install.checked | install.failed {failure} */
export const checkInstall = unprovided<{ type: 'none' }, InstallTask>('checkInstall')
/** `outside`: what is published against what we pinned; changes nothing. package.verified | install.failed {failure} */
export const verifyPackage = unprovided<{ type: 'none' }, InstallTask>('verifyPackage')
/** `outside`: the archive itself, and its hash. package.fetched | install.failed {failure} */
export const fetchPackage = unprovided<{ type: 'none' }, InstallTask>('fetchPackage')
/** `outside`: package.installed | install.failed {failure}. Left early, it ends what it started. */
export const installPackage = unprovided<{ type: 'none' }, InstallTask>('installPackage')
/** `outside`: a second fresh look. install.confirmed | install.failed {failure} */
export const confirmInstall = unprovided<{ type: 'none' }, InstallTask>('confirmInstall')
/** `outside`: until nothing of it lives, and what it left is removed. install.cleared | install.uncleared {failure} */
export const clearInstall = unprovided<{ type: 'none' }, InstallTask>('clearInstall')

/** How each blank behaves across a restart: read by the fence in main and by the tests. */
export const actorKinds: Record<string, ActorKind> = {
  runAgent: 'outside', holdLease: 'outside', watchBoot: 'outside', preflight: 'outside', applyDecision: 'outside',
  watchSilence: 'clock', deadline: 'clock',
  openStores: 'outside', restoreWork: 'outside', surveyWork: 'outside', watchWork: 'outside',
  endWork: 'outside', killChildren: 'outside', closeStores: 'outside', awaitDisk: 'outside', reopenWork: 'outside',
  checkInstall: 'outside', verifyPackage: 'outside', fetchPackage: 'outside', installPackage: 'outside',
  confirmInstall: 'outside', clearInstall: 'outside',
  keepReply: 'ledger', followGate: 'ledger', acceptTask: 'ledger', writeMinutes: 'ledger', reachAsker: 'ledger',
  round: 'machine', attempt: 'machine',
}

/** Inputs of the machines, given by main. */
export type RunInput = {
  runId: string
  conversationId: string
  messageId: string
  topic: string
  policy: RunPolicy
  seats: Seat[]
  /** For each seat's name, whether its agent can go on in a new process where an old one waited at a gate. */
  mayContinue: Record<string, boolean>
  followUpOf: string | null
  at: number
}
