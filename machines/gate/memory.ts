import { assign } from 'xstate'
import type { GateAsk, GateDecision, GateEndReason } from '../../shared/gate.ts'
import { gateDeliveriesMax, gateDeliveryMs } from '../../shared/limits.ts'
import type { ApplyDecision, AskerFact, DeadlineInput, DeliveryFact, ReachAsker, Stamped } from '../blanks.ts'
import { timeOf } from '../time.ts'

/** A question and what became of it. */
export type GateContext = GateAsk & {
  decision: GateDecision | null
  endReason: GateEndReason | null
  /** How often the decision was on its way to the asker. */
  deliveries: number
  dueAt: number | null
  settledAt: number | null
  lastAt: number
}

export type GateEvent =
  | AskerFact
  | DeliveryFact
  | Stamped<
      | { type: 'gate.answer'; optionId: string; note: string | null }
      | { type: 'gate.withdraw' }
      | { type: 'gate.expired' }
      | { type: 'delivery.expired' }
    >

type GateMoment = { context: GateContext; event: GateEvent }

export const freshGate = ({ input }: { input: GateAsk }): GateContext => ({
  ...input,
  decision: null,
  endReason: null,
  deliveries: 0,
  dueAt: null,
  settledAt: null,
  lastAt: input.askedAt,
})

export const gateGuards = {
  itIsAnOption: ({ context, event }: GateMoment) =>
    event.type === 'gate.answer' && context.options.some(({ optionId }) => optionId === event.optionId),
  deliveriesAreLeft: ({ context }: GateMoment) => context.deliveries < gateDeliveriesMax,
}

const keep = (change: (moment: GateMoment) => Partial<GateContext>) =>
  assign<GateContext, GateEvent, undefined, GateEvent, never>((moment) => ({ lastAt: now(moment), ...change(moment) }))

export const gateActions = {
  keepDecision: keep(({ context, event }) => ({ decision: decisionIn(context, event) })),
  armDelivery: keep((moment) => ({ dueAt: now(moment) + gateDeliveryMs })),
  countDelivery: keep(({ context }) => ({ deliveries: context.deliveries + 1 })),
  keepReason: keep(({ event }) => ({ endReason: reasonIn(event) })),
  noteSettled: keep((moment) => ({ settledAt: now(moment), dueAt: null })),
}

const now = ({ context, event }: GateMoment) => timeOf(event, context.lastAt)

const decisionIn = (context: GateContext, event: GateEvent): GateDecision | null => {
  if (event.type !== 'gate.answer') return context.decision
  const option = context.options.find(({ optionId }) => optionId === event.optionId)
  if (!option) return context.decision
  const { optionId, effect, name, position } = option
  return { optionId, effect, name, position, note: event.note, at: event.at }
}

const reasonIn = (event: GateEvent): GateEndReason => {
  switch (event.type) {
    case 'asker.gone': return event.reason ?? 'askerGone'
    case 'gate.expired': return 'expired'
    case 'gate.withdraw': return 'withdrawn'
    default: return 'undeliverable'
  }
}

export const askerWanted = ({ context: { gateId, asker } }: { context: GateContext }): ReachAsker => ({ gateId, asker })

export const decisionToApply = ({ context }: { context: GateContext }): ApplyDecision => ({
  gateId: context.gateId,
  asker: context.asker,
  decision: context.decision ?? noDecision(context.lastAt),
})

export const expiryDeadline = ({ context }: { context: GateContext }): DeadlineInput =>
  ({ at: context.expiresAt, event: 'gate.expired' })

export const deliveryDeadline = ({ context }: { context: GateContext }): DeadlineInput =>
  ({ at: context.dueAt, event: 'delivery.expired' })

export const gateLost = (): { event: string } => ({ event: 'gate.lost' })

// an answered gate always has its decision; the type does not know it
const noDecision = (at: number): GateDecision =>
  ({ optionId: 'closed', effect: 'deny', name: 'closed', note: null, position: null, at })
