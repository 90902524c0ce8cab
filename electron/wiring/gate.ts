import type { ApplyDecision, GateFollower, GateOrder, ReachAsker } from '../../machines/blanks.ts'
import type { Asker } from '../../shared/gate.ts'
import type { Gates } from '../supervisors/gates.ts'
import type { Fence } from './fence.ts'

export interface GateWiring {
  fence: Fence
  gates: () => Gates
  durable: () => Promise<void>
  /** Whether whoever asked still has use for the answer, as it is stored. */
  askerWaits: (asker: Asker, gateId: string) => boolean
}

/** The asker's side: opens the gate where the machine itself asks, and hears what becomes of it. */
export const followGate = ({ fence, gates }: GateWiring) =>
  fence.again<GateOrder, GateFollower>(({ input, say, receive }) => {
    receive((order) => gates().pass(input.gateId, order))
    if (input.ask) gates().open(input.ask)
    return gates().follow(input.gateId, (news) => say(news))
  })

/** The gate's side: finds its asker, and hands the decision over. */
export const gateEffects = ({ fence, gates, durable, askerWaits }: GateWiring) => ({
  reachAsker: fence.again<{ type: 'none' }, ReachAsker>(({ input, say }) => {
    if (gates().canDeliver(input.gateId)) return say({ type: 'asker.ready' })
    if (!askerWaits(input.asker, input.gateId)) say({ type: 'asker.gone', reason: 'askerLost' })
  }),

  applyDecision: fence.outside<{ type: 'none' }, ApplyDecision>('gate.lost', ({ input, say }) => {
    let isLeft = false
    void durable()
      .then(() => !isLeft && gates().deliver(input.gateId, input.decision))
      .then(async (taken) => {
        await durable()
        say({ type: taken ? 'decision.applied' : 'decision.failed' })
      })
      .catch(() => say({ type: 'decision.failed' }))
    return () => {
      isLeft = true
    }
  }),
})
