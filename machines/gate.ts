import { setup } from 'xstate'
import type { GateAsk } from '../shared/gate.ts'
import { applyDecision, deadline, reachAsker, watchBoot } from './blanks.ts'
import {
  askerWanted, decisionToApply, deliveryDeadline, expiryDeadline, freshGate, gateActions, gateGuards, gateLost,
  type GateContext, type GateEvent,
} from './gate/memory.ts'

/**
 * A gate holds one question until a person, a clock or the asker settles it, and delivers the answer once.
 *
 * The first answer is the decision for ever. `applied` means that the asker has taken it durably, not that an agent has
 * read it. After a restart an undelivered answer is delivered anew.
 */
export const gateMachine = setup({
  types: {} as {
    context: GateContext
    events: GateEvent
    input: GateAsk
    tags: 'resting' | 'needsYou'
  },
  actors: { deadline, reachAsker, applyDecision, watchBoot },
  guards: gateGuards,
  actions: gateActions,
}).createMachine({
  id: 'gate',
  context: freshGate,
  initial: 'waiting',
  states: {
    waiting: {
      tags: ['resting', 'needsYou'],
      invoke: { id: 'expiry', src: 'deadline', input: expiryDeadline },
      on: {
        'gate.answer': { guard: 'itIsAnOption', target: 'answered', actions: ['keepDecision', 'armDelivery'] },
        'gate.expired': { target: 'expired', actions: 'keepReason' },
        'asker.gone': { target: 'expired', actions: 'keepReason' },
        'gate.withdraw': { target: 'withdrawn', actions: 'keepReason' },
      },
    },

    answered: {
      invoke: [
        { id: 'watchBoot', src: 'watchBoot', input: gateLost },
        { id: 'reachAsker', src: 'reachAsker', input: askerWanted },
        { id: 'deliveryDeadline', src: 'deadline', input: deliveryDeadline },
      ],
      on: {
        'asker.ready': { target: 'applying' },
        'asker.gone': { target: 'expired', actions: 'keepReason' },
        'delivery.expired': { target: 'expired', actions: 'keepReason' },
        'gate.withdraw': { target: 'withdrawn', actions: 'keepReason' },
        'gate.lost': { target: 'answered', reenter: true, actions: 'armDelivery' },
      },
    },

    applying: {
      entry: 'countDelivery',
      invoke: [
        { id: 'applyDecision', src: 'applyDecision', input: decisionToApply },
        { id: 'deliveryDeadline', src: 'deadline', input: deliveryDeadline },
      ],
      on: {
        'decision.applied': { target: 'applied' },
        'decision.failed': [
          { guard: 'deliveriesAreLeft', target: 'answered', actions: 'armDelivery' },
          { target: 'expired', actions: 'keepReason' },
        ],
        'delivery.expired': [
          { guard: 'deliveriesAreLeft', target: 'answered', actions: 'armDelivery' },
          { target: 'expired', actions: 'keepReason' },
        ],
        'gate.lost': [
          { guard: 'deliveriesAreLeft', target: 'answered', actions: 'armDelivery' },
          { target: 'expired', actions: 'keepReason' },
        ],
        'asker.gone': { target: 'expired', actions: 'keepReason' },
      },
    },

    applied: { type: 'final', entry: 'noteSettled' },
    expired: { type: 'final', entry: 'noteSettled' },
    withdrawn: { type: 'final', entry: 'noteSettled' },
  },
})
