import type { AgentOrder, AgentRun, KeepReply, Lease, LeaseOrder } from '../../machines/blanks.ts'
import { toFailure } from '../../shared/errors.ts'
import type { Stores } from '../stores/stores.ts'
import { countDenials } from '../turns/keep-turn.ts'
import { Launch, type LaunchPorts } from '../turns/launch.ts'
import type { Slots } from '../supervisors/slots.ts'
import type { Fence } from './fence.ts'

export interface AttemptWiring {
  fence: Fence
  slots: Slots
  stores: Stores
  launches: LaunchPorts
  directoryOf: (conversationId: string) => string
}

/** Fills the attempt's blanks that touch the world: its process, its slot, and the keeping of its reply. */
export const attemptEffects = ({ fence, slots, stores, launches, directoryOf }: AttemptWiring) => ({
  runAgent: fence.outside<AgentOrder, AgentRun>('attempt.lost', ({ input, say, receive }) => {
    const launch = new Launch(launches, input, say)
    receive((order) => launch.obey(order))
    void launch.begin()
    return () => launch.abandon()
  }),

  holdLease: fence.outside<LeaseOrder, Lease>('attempt.lost', ({ input, say, receive }) => {
    const granted = () => say({ type: 'lease.granted' })
    const request = {
      attemptId: input.attemptId,
      directory: directoryOf(input.conversationId),
      writes: input.allowWrite,
    }
    const slot = slots.ask(request, granted)
    receive((order) => (order.type === 'lease.suspend' ? slot.suspend() : slot.resume(granted)))
    return () => slot.release()
  }),

  watchBoot: fence.outside<{ type: 'none' }, { event: string }>(
    ({ event }) => event,
    () => undefined,
  ),

  keepReply: fence.again<{ type: 'none' }, KeepReply>(({ input, say }) => {
    try {
      const kept = stores.attempts.replyOf(input.attemptId)
      say({ type: 'reply.kept', ...kept, denials: countDenials(stores, input.attemptId) })
    } catch (error) {
      say({ type: 'reply.unkept', failure: toFailure(error) })
    }
  }),
})
