import { setup } from 'xstate'
import { acceptTask, deadline, followGate, preflight, writeMinutes, type RunInput } from './blanks.ts'
import { roundMachine } from './round.ts'
import { runActions } from './run/actions.ts'
import { runGuards } from './run/guards.ts'
import {
  checksWanted, gateToFollow, minutesDeadline, minutesToWrite, preflightDeadline, roundWanted, taskToAccept,
} from './run/inputs.ts'
import { freshRun, type RunContext, type RunEvent } from './run/memory.ts'

/** `unrecorded`: nothing of it is stored yet, and nothing stays if it ends here. */
type RunTag = 'unrecorded' | 'resting' | 'needsYou' | 'choice'

/**
 * A run turns one message into one conclusion, by as many rounds as its policy allows.
 *
 * Between rounds everything meets in `weighing`, whose clauses, in this order, are the policy. A message to one agent,
 * or to several who do not confer, is a run of one round without a consensus rule.
 */
export const runMachine = setup({
  types: {} as {
    context: RunContext
    events: RunEvent
    input: RunInput
    tags: RunTag
  },
  actors: { preflight, acceptTask, round: roundMachine, followGate, writeMinutes, deadline },
  guards: runGuards,
  actions: runActions,
}).createMachine({
  id: 'run',
  context: freshRun,
  initial: 'preparing',
  states: {
    preparing: {
      tags: 'unrecorded',
      invoke: [
        { id: 'preflight', src: 'preflight', input: checksWanted },
        { id: 'preflightDeadline', src: 'deadline', input: preflightDeadline },
      ],
      on: {
        'preflight.passed': { target: 'accepting' },
        'preflight.refused': { target: 'refused', actions: 'keepRefusal' },
        'preflight.expired': { target: 'refused', actions: 'keepRefusal' },
        'run.interrupt': { target: 'refused', actions: 'keepRefusal' },
        'run.lost': { target: 'refused', actions: 'keepRefusal' },
        'run.stop': { guard: 'itNamesThisRun', target: 'refused', actions: 'keepRefusal' },
      },
    },

    accepting: {
      tags: 'unrecorded',
      invoke: { id: 'acceptTask', src: 'acceptTask', input: taskToAccept },
      on: {
        'task.accepted': { target: 'weighing', actions: 'letTopicGo' },
        'task.unrecorded': { target: 'refused', actions: 'keepRefusal' },
        'run.stop': { guard: 'itNamesThisRun', actions: 'keepStop' },
        'run.interrupt': { actions: 'keepStop' },
      },
    },

    weighing: {
      tags: 'choice',
      always: [
        { guard: 'aPositionWasAccepted', target: 'concluding', actions: 'concludeAsAgreed' },
        { guard: 'aPersonStoppedIt', target: 'concluding', actions: 'concludeAsStopped' },
        { guard: 'theAppShutDown', target: 'concluding', actions: 'concludeAsInterrupted' },
        { guard: 'theRoundWasInterrupted', target: 'concluding', actions: 'concludeAsInterrupted' },
        { guard: 'everyoneFailed', target: 'concluding', actions: 'concludeAsFailed' },
        { guard: 'everyoneAgrees', target: 'concluding', actions: 'concludeAsAgreed' },
        { guard: 'everyoneAnswered', target: 'concluding', actions: 'concludeAsCompleted' },
        { guard: 'someAnswered', target: 'concluding', actions: 'concludeAsPartial' },
        { guard: 'everyoneWasPassedOver', target: 'concluding', actions: 'concludeAsStopped' },
        { guard: 'roundsAreUp', target: 'concluding', actions: 'concludeAsRoundsUp' },
        { guard: 'theBreakerTripped', target: 'concluding', actions: 'concludeAsBudgetSpent' },
        { guard: 'tooFewAreLeft', target: 'holding.paused' },
        { guard: 'aPauseIsWanted', target: 'holding.paused' },
        { guard: 'thePositionsStall', target: 'holding.deciding', actions: 'askForDecision' },
        { target: 'conferring', actions: 'beginRound' },
      ],
    },

    conferring: {
      initial: 'discussing',
      invoke: {
        id: 'round',
        src: 'round',
        input: roundWanted,
        onDone: { target: 'weighing', actions: 'keepRound' },
        onError: { target: 'weighing', actions: 'noteBrokenRound' },
      },
      on: {
        'seat.kill': { actions: 'tellRound' },
        'computer.woke': { actions: 'tellRound' },
      },
      states: {
        discussing: {
          on: {
            'run.stop': { guard: 'itNamesThisRun', target: 'stopping', actions: 'keepStop' },
            'run.interrupt': { target: 'stopping', actions: 'keepStop' },
            'run.pause': { actions: 'wantPause' },
            'run.resume': { actions: 'dropPause' },
            'seat.retry': { actions: ['reseat', 'tellRound'] },
            'seat.replace': { actions: ['reseat', 'tellRound'] },
            'seat.cancel': { actions: 'tellRound' },
          },
        },
        stopping: {
          entry: 'stopRound',
          on: {
            'run.hurry': { actions: 'hurryRound' },
          },
        },
      },
    },

    holding: {
      initial: 'paused',
      tags: ['resting', 'needsYou'],
      on: {
        'run.stop': { guard: 'itNamesThisRun', target: 'weighing', actions: 'keepStop' },
        'run.interrupt': { target: 'weighing', actions: 'keepStop' },
        'seat.retry': { actions: 'reseat' },
        'seat.replace': { actions: 'reseat' },
        'seat.cancel': { actions: 'unseat' },
      },
      states: {
        paused: {
          on: {
            'run.resume': { target: '#run.weighing', actions: ['dropPause', 'forgetStillness'] },
          },
        },
        deciding: {
          invoke: { id: 'followGate', src: 'followGate', input: gateToFollow },
          exit: 'leaveGate',
          on: {
            'gate.answered': [
              { guard: 'itAcceptsAPosition', target: '#run.weighing', actions: 'keepStop' },
              { guard: 'itIsGranted', target: '#run.weighing', actions: ['dropPause', 'forgetStillness'] },
              { guard: 'itIsTheGate', target: '#run.weighing', actions: 'keepStop' },
            ],
            'gate.closed': { guard: 'itIsTheGate', target: 'paused' },
          },
        },
      },
    },

    concluding: {
      initial: 'writing',
      states: {
        writing: {
          invoke: { id: 'writeMinutes', src: 'writeMinutes', input: minutesToWrite },
          on: {
            'minutes.written': [
              { guard: { type: 'itConcludesAs', params: { end: 'agreed' } }, target: '#run.agreed' },
              { guard: { type: 'itConcludesAs', params: { end: 'completed' } }, target: '#run.completed' },
              { guard: { type: 'itConcludesAs', params: { end: 'partial' } }, target: '#run.partial' },
              { guard: { type: 'itConcludesAs', params: { end: 'roundsUp' } }, target: '#run.roundsUp' },
              { guard: { type: 'itConcludesAs', params: { end: 'failed' } }, target: '#run.failed' },
              { guard: { type: 'itConcludesAs', params: { end: 'budgetSpent' } }, target: '#run.budgetSpent' },
              { guard: { type: 'itConcludesAs', params: { end: 'stopped' } }, target: '#run.stopped' },
              { target: '#run.interrupted' },
            ],
            'minutes.unwritten': { target: 'unwritten', actions: 'armMinutes' },
          },
        },
        unwritten: {
          tags: 'resting',
          invoke: { id: 'minutesDeadline', src: 'deadline', input: minutesDeadline },
          on: {
            'minutes.due': { target: 'writing' },
            'minutes.retry': { target: 'writing' },
          },
        },
      },
    },

    refused: { type: 'final', tags: 'unrecorded' },
    agreed: { type: 'final' },
    completed: { type: 'final' },
    partial: { type: 'final' },
    roundsUp: { type: 'final' },
    failed: { type: 'final' },
    budgetSpent: { type: 'final' },
    stopped: { type: 'final' },
    interrupted: { type: 'final' },
  },
})
