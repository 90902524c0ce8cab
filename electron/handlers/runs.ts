import type { AttemptRecord } from '../../shared/attempt.ts'
import { AppError } from '../../shared/errors.ts'
import type { Handlers } from '../../shared/ipc.ts'
import { settled, type RunRecord } from '../../shared/run.ts'
import { ownConversationOf } from './conversations.ts'
import type { Services } from './services.ts'

/** Runs and their attempts: looked at at any time, steered while they live, followed up once they have ended. */
export const runHandlers = (services: Services) =>
  ({
    'run.open': async ({ runId }) => services.stores.views.run(runId),
    'run.events': async ({ runId, after, limit }) => {
      runOf(services, runId)
      return services.stores.ledger.events(runId, after, limit)
    },
    'run.timeline': async ({ runId, after, limit }) => services.stores.views.timeline(runId, after, limit),

    'run.stop': async ({ runId }) => {
      services.requireWritable()
      await services.runs.order(runId, { type: 'run.stop', runId })
      return {}
    },
    'run.pause': async ({ runId }) => {
      services.requireWritable()
      await services.runs.order(runId, { type: 'run.pause' })
      return {}
    },
    'run.resume': async ({ runId }) => {
      services.requireWritable()
      await services.runs.order(runId, { type: 'run.resume' })
      return {}
    },

    'run.pin': async ({ runId, pinned }) => {
      services.requireWritable()
      services.stores.details.pin(runId, pinned)
      services.push('run.detail', { runId, detail: services.stores.details.of(runId) })
      return {}
    },

    'run.followUp': async ({ runId, seats, replace }) => {
      services.requireWritable()
      const run = runOf(services, runId)
      if (!settled(run.status)) throw new AppError('run.not-settled', 'This run is still going on. Stop it first.')
      const conversation = ownConversationOf(services, run.conversationId)
      if (services.stores.runs.active(run.conversationId)) {
        throw new AppError('conversation.busy', 'Another run is active here. Wait for it, or stop it first.')
      }
      return { runId: await services.tasks.followUp(run, conversation, seats, replace) }
    },

    'attempt.open': async ({ attemptId }) => services.stores.views.attempt(attemptId),
    'attempt.output': async ({ attemptId, after, limit }) => {
      if (!services.stores.attempts.get(attemptId)) throw unknownAttempt()
      return services.stores.outputs.page(attemptId, after, limit)
    },

    'attempt.cancel': async ({ runId, attemptId }) => {
      await orderSeat(services, runId, attemptId, 'seat.cancel')
      return {}
    },
    'attempt.retry': async ({ runId, attemptId }) => {
      await orderSeat(services, runId, attemptId, 'seat.retry')
      return {}
    },
    'attempt.replace': async ({ runId, attemptId, agent }) => {
      const mayContinue = services.agents.adapterOf(agent).mayContinue
      const { messageId, policy } = runOf(services, runId)
      services.agents.requireHeld([agent], policy.allowWrite)
      services.tasks.checkImages([agent], services.stores.images.ofMessage(messageId))
      await orderSeat(services, runId, attemptId, 'seat.replace', { agent, mayContinue })
      return {}
    },
    'attempt.kill': async ({ runId, attemptId }) => {
      await orderSeat(services, runId, attemptId, 'seat.kill')
      return {}
    },

    'delivery.open': async ({ deliveryId }) => {
      const found = services.stores.deliveries.prompt(deliveryId)
      if (!found) throw new AppError('delivery.unknown', 'What was sent is not on record.')
      return found
    },
  }) satisfies Partial<Handlers>

const runOf = ({ stores }: Services, runId: string): RunRecord => {
  const run = stores.runs.get(runId)
  if (!run) throw new AppError('run.unknown', 'This run is not known here.')
  return run
}

const attemptOf = ({ stores }: Services, runId: string, attemptId: string): AttemptRecord => {
  const attempt = stores.attempts.get(attemptId)
  if (!attempt || attempt.runId !== runId) throw unknownAttempt()
  return attempt
}

const unknownAttempt = () => new AppError('attempt.unknown', 'This attempt is not known in this run.')

/** An order for one seat names the attempt it means: one that is not the seat's present attempt changes nothing. */
const orderSeat = async (
  services: Services,
  runId: string,
  attemptId: string,
  type: 'seat.cancel' | 'seat.retry' | 'seat.replace' | 'seat.kill',
  more: Record<string, unknown> = {},
): Promise<void> => {
  services.requireWritable()
  const { seat, round } = attemptOf(services, runId, attemptId)
  const newest = services.stores.attempts.ofRun(runId).findLast((other) => other.seat === seat)
  if (newest?.attemptId !== attemptId) {
    throw new AppError('attempt.cannot', 'This seat has spoken again since. Choose its newest attempt.', {
      params: { round },
    })
  }
  await services.runs.order(runId, { type, seat, attemptId, ...more })
}
