import { setup } from 'xstate'
import { attemptMachine } from './attempt.ts'
import { roundActions } from './round/actions.ts'
import { roundGuards } from './round/guards.ts'
import {
  freshRound, roundOutput, type RoundContext, type RoundEvent, type RoundInput, type RoundOutput,
} from './round/memory.ts'

/**
 * A round gives every seat the floor once and counts what they said.
 *
 * A blind round calls everybody at once, any other one at a time. A restart calls nobody: what can still settle
 * settles, a turn that is parked at its gate waits for its person, and wakes the round when it goes on.
 */
export const roundMachine = setup({
  types: {} as {
    context: RoundContext
    events: RoundEvent
    input: RoundInput
    output: RoundOutput
    tags: 'choice'
  },
  actors: { attempt: attemptMachine },
  guards: roundGuards,
  actions: roundActions,
}).createMachine({
  id: 'round',
  context: freshRound,
  output: roundOutput,
  initial: 'calling',
  on: {
    'computer.woke': { actions: 'wakeEveryone' },
  },
  states: {
    calling: {
      tags: 'choice',
      always: [
        { guard: 'theBreakerTrips', target: 'tallied', actions: 'noteBreaker' },
        { guard: 'someoneMaySpeak', target: 'listening', actions: 'callSpeakers' },
        { guard: 'someoneSpeaks', target: 'listening' },
        { target: 'tallied' },
      ],
    },

    listening: {
      on: {
        'xstate.done.actor.*': [
          { guard: 'theRoundWasLost', target: 'mending', actions: ['recordResult', 'dismissSpeaker'] },
          { target: 'calling', actions: ['recordResult', 'dismissSpeaker'] },
        ],
        'xstate.error.actor.*': { target: 'calling', actions: ['recordCrash', 'dismissSpeaker'] },
        'attempt.resumed': { actions: 'noteItWentOn' },
        'seat.retry': [
          { guard: 'itSpeaks', actions: 'tellItToTryAgain' },
          { guard: 'itDidNotComplete', target: 'calling', actions: 'callAgain' },
        ],
        'seat.cancel': [
          { guard: 'itIsYetToSpeak', actions: 'passOver' },
          { guard: 'itHasTheFloor', actions: 'tellItToStop' },
        ],
        'seat.replace': [
          { guard: 'itIsYetToSpeak', actions: 'handOver' },
          { guard: 'itHasTheFloor', actions: ['tellItToStop', 'handOver', 'callAgain'] },
          { guard: 'itDidNotComplete', target: 'calling', actions: ['handOver', 'callAgain'] },
        ],
        'seat.kill': { guard: 'itHasTheFloor', actions: 'killIt' },
        'round.stop': { target: 'stopping', actions: 'keepStopReason' },
      },
    },

    mending: {
      always: { guard: 'nobodySpeaks', target: 'interrupted' },
      on: {
        'xstate.done.actor.*': { actions: ['recordResult', 'dismissSpeaker'] },
        'xstate.error.actor.*': { actions: ['recordCrash', 'dismissSpeaker'] },
        'attempt.resumed': { target: 'calling', actions: 'noteItWentOn' },
        'seat.cancel': { guard: 'itHasTheFloor', actions: 'tellItToStop' },
        'seat.kill': { guard: 'itHasTheFloor', actions: 'killIt' },
        'round.stop': { target: 'stopping', actions: 'keepStopReason' },
      },
    },

    stopping: {
      entry: 'stopEveryone',
      always: { guard: 'nobodySpeaks', target: 'stopped' },
      on: {
        'xstate.done.actor.*': { actions: ['recordResult', 'dismissSpeaker'] },
        'xstate.error.actor.*': { actions: ['recordCrash', 'dismissSpeaker'] },
        'seat.kill': { guard: 'itHasTheFloor', actions: 'killIt' },
        'round.hurry': { actions: 'killEveryone' },
      },
    },

    tallied: { type: 'final', entry: { type: 'endAs', params: { outcome: 'tallied' } } },
    stopped: { type: 'final', entry: { type: 'endAs', params: { outcome: 'stopped' } } },
    interrupted: { type: 'final', entry: { type: 'endAs', params: { outcome: 'interrupted' } } },
  },
})
