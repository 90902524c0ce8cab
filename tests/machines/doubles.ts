import { assign, sendParent, setup } from 'xstate'
import type { AttemptInput, AttemptOutput } from '../../machines/attempt/memory.ts'
import type { RoundInput, RoundOutput } from '../../machines/round/memory.ts'
import { now } from './events.ts'

/** A child that ends as it is told, in place of a whole attempt. */
export const attemptDouble = setup({
  types: {} as {
    context: { given: AttemptInput; end: Partial<AttemptOutput> }
    events: { type: 'settle'; end: Partial<AttemptOutput> } | { type: 'resume' } | { type: 'break' }
    input: AttemptInput
    output: AttemptOutput
  },
  actions: {
    keepEnd: assign(({ event }) => ('end' in event ? { end: event.end } : {})),
    resume: sendParent(({ context: { given: { seat, attemptId } } }) =>
      ({ type: 'attempt.resumed', seat, attemptId, at: now })),
    breakDown: () => {
      throw new Error('broken on purpose')
    },
  },
}).createMachine({
  id: 'attempt',
  context: ({ input }) => ({ given: input, end: {} }),
  output: ({ context: { given, end } }) => ({
    attemptId: given.attemptId, seat: given.seat, agent: given.agent, status: 'completed', vote: null, failure: null,
    tries: 1, lost: false, at: now, ...end,
  }),
  initial: 'speaking',
  states: {
    speaking: {
      on: {
        settle: { target: 'over', actions: 'keepEnd' },
        resume: { actions: 'resume' },
        break: { actions: 'breakDown' },
      },
    },
    over: { type: 'final' },
  },
})

/** A child that ends as it is told, in place of a whole round. */
export const roundDouble = setup({
  types: {} as {
    context: { given: RoundInput; end: Partial<RoundOutput> }
    events: { type: 'settle'; end: Partial<RoundOutput> } | { type: 'break' }
    input: RoundInput
    output: RoundOutput
  },
  actions: {
    keepEnd: assign(({ event }) => ('end' in event ? { end: event.end } : {})),
    breakDown: () => {
      throw new Error('broken on purpose')
    },
  },
}).createMachine({
  id: 'round',
  context: ({ input }) => ({ given: input, end: {} }),
  output: ({ context: { given, end } }) => ({
    round: given.round, outcome: 'tallied', seats: [], launches: 1, breaker: false, at: now, ...end,
  }),
  initial: 'going',
  states: {
    going: { on: { settle: { target: 'over', actions: 'keepEnd' }, break: { actions: 'breakDown' } } },
    over: { type: 'final' },
  },
})
