import { attemptMachine } from '../../machines/attempt.ts'
import type {
  AcceptTask, AgentOrder, AgentRun, ApplyDecision, DeadlineInput, GateFollower, GateOrder, KeepReply, Lease, LeaseOrder,
  Preflight, ReachAsker, Silence, WriteMinutes,
} from '../../machines/blanks.ts'
import { gateMachine } from '../../machines/gate.ts'
import { roundMachine } from '../../machines/round.ts'
import { runMachine } from '../../machines/run.ts'
import type { RunRecord } from '../../shared/run.ts'
import type { Fence } from './fence.ts'

type None = { type: 'none' }

interface ReplayWiring {
  fence: Fence
  accept: (record: RunRecord) => void
  /** An agent would be started now. */
  launch: (run: AgentRun) => void
}

/**
 * The run machine with blanks that do nothing in the world: what they once said is fed back from the record. The fence
 * is the real one, so that a restart in the record is a restart here.
 */
export const replayedRun = ({ fence, accept, launch }: ReplayWiring) => {
  const deadline = fence.again<None, DeadlineInput>(nothing)
  const followGate = fence.again<GateOrder, GateFollower>(nothing)
  const attempt = attemptMachine.provide({
    actors: {
      holdLease: fence.outside<LeaseOrder, Lease>('attempt.lost', nothing),
      runAgent: fence.outside<AgentOrder, AgentRun>('attempt.lost', ({ input }) => launch(input)),
      watchBoot: watchBoot(fence),
      watchSilence: fence.again<None, Silence>(nothing),
      keepReply: fence.again<None, KeepReply>(nothing),
      deadline,
      followGate,
    },
  })
  return runMachine.provide({
    actors: {
      preflight: fence.outside<None, Preflight>('run.lost', nothing),
      acceptTask: fence.again<None, AcceptTask>(({ input }) => accept(input.record)),
      writeMinutes: fence.again<None, WriteMinutes>(nothing),
      round: roundMachine.provide({ actors: { attempt } }),
      deadline,
      followGate,
    },
  })
}

/** The gate machine, likewise. */
export const replayedGate = (fence: Fence) =>
  gateMachine.provide({
    actors: {
      deadline: fence.again<None, DeadlineInput>(nothing),
      reachAsker: fence.again<None, ReachAsker>(nothing),
      applyDecision: fence.outside<None, ApplyDecision>('gate.lost', nothing),
      watchBoot: watchBoot(fence),
    },
  })

const nothing = () => undefined

const watchBoot = (fence: Fence) => fence.outside<None, { event: string }>(({ event }) => event, nothing)
