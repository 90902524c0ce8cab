import { setup } from 'xstate'
import { attemptActions } from './attempt/actions.ts'
import { attemptGuards } from './attempt/guards.ts'
import {
  agentWanted, attemptLost, backoffDeadline, capDeadline, gateToFollow, killDeadline, launchDeadline, leaseWanted,
  replyToKeep, settlingDeadline, silenceAllowed,
} from './attempt/inputs.ts'
import {
  attemptOutput, freshAttempt, type AttemptContext, type AttemptEvent, type AttemptInput, type AttemptOutput,
} from './attempt/memory.ts'
import { deadline, followGate, holdLease, keepReply, runAgent, watchBoot, watchSilence } from './blanks.ts'

type AttemptTag = 'resting' | 'needsYou' | 'choice'

/**
 * An attempt gets one answer from one agent, in as many tries as policy and people allow.
 *
 * It works on the floor, where a lease gives it a slot and the agent's process lives exactly as long as `working`.
 * Whatever ends a try is kept as its cause, first come first kept; when the operating system says that the process is
 * gone, the reply is settled and `judging` decides, in one place, what becomes of the turn.
 */
export const attemptMachine = setup({
  types: {} as {
    context: AttemptContext
    events: AttemptEvent
    input: AttemptInput
    output: AttemptOutput
    tags: AttemptTag
  },
  actors: { holdLease, runAgent, watchBoot, watchSilence, deadline, keepReply, followGate },
  guards: attemptGuards,
  actions: attemptActions,
}).createMachine({
  id: 'attempt',
  context: freshAttempt,
  output: attemptOutput,
  initial: 'onFloor',
  states: {
    onFloor: {
      initial: 'queued',
      invoke: { id: 'holdLease', src: 'holdLease', input: leaseWanted },
      on: {
        'attempt.lost': { target: 'judging', actions: 'noteLoss' },
      },
      states: {
        queued: {
          on: {
            'lease.granted': { target: 'working', actions: 'beginTry' },
            'attempt.stop': { target: '#attempt.judging', actions: 'keepStopReason' },
          },
        },
        working: {
          initial: 'speaking',
          invoke: { id: 'runAgent', src: 'runAgent', input: agentWanted },
          on: {
            'agent.gone': { target: '#attempt.settling', actions: 'keepDeath' },
          },
          states: {
            speaking: {
              initial: 'launching',
              on: {
                'agent.finished': { target: 'ending', actions: 'keepCause' },
                'agent.failed': { target: 'ending', actions: 'keepCause' },
                'agent.silent': { target: 'ending', actions: 'keepCause' },
                'launch.expired': { target: 'ending', actions: 'keepCause' },
                'cap.expired': { target: 'ending', actions: 'keepCause' },
                'attempt.stop': { target: 'ending', actions: 'keepCause' },
                'attempt.retry': { guard: 'launchesAreLeft', target: 'ending', actions: 'keepCause' },
              },
              states: {
                launching: {
                  invoke: { id: 'launchDeadline', src: 'deadline', input: launchDeadline },
                  on: {
                    'agent.started': { target: 'streaming', actions: ['noteStart', 'armCap'] },
                    'computer.woke': { target: 'launching', reenter: true, actions: 'shiftLaunch' },
                  },
                },
                streaming: {
                  invoke: [
                    { id: 'watchSilence', src: 'watchSilence', input: silenceAllowed },
                    { id: 'capDeadline', src: 'deadline', input: capDeadline },
                  ],
                  on: {
                    'agent.asked': { target: 'awaitingGate', actions: ['keepGate', 'pauseCap', 'suspendLease'] },
                    'computer.woke': { target: 'streaming', reenter: true, actions: 'shiftCap' },
                  },
                },
                awaitingGate: {
                  tags: 'needsYou',
                  invoke: { id: 'followGate', src: 'followGate', input: gateToFollow },
                  exit: 'leaveGate',
                  on: {
                    'gate.answered': {
                      guard: 'itIsTheGate', target: 'resuming', actions: ['keepVerdict', 'askForLease'],
                    },
                    'gate.closed': {
                      guard: 'itIsTheGate', target: 'resuming', actions: ['keepVerdict', 'askForLease'],
                    },
                  },
                },
                resuming: {
                  on: {
                    'lease.granted': { target: 'streaming', actions: ['deliverVerdict', 'dropGate', 'resumeCap'] },
                  },
                },
              },
            },
            ending: {
              entry: ['dropGate', 'askToStop', 'armKill'],
              invoke: { id: 'killDeadline', src: 'deadline', input: killDeadline },
              on: {
                'kill.expired': { target: 'overdue' },
                'attempt.stop': { actions: 'keepStopReason' },
                'attempt.kill': { actions: 'askToKill' },
              },
            },
            overdue: {
              tags: 'needsYou',
              on: {
                'attempt.stop': { actions: 'keepStopReason' },
                'attempt.kill': { target: 'ending', actions: 'askToKill' },
              },
            },
          },
        },
      },
    },

    settling: {
      invoke: [
        { id: 'watchBoot', src: 'watchBoot', input: attemptLost },
        { id: 'keepReply', src: 'keepReply', input: replyToKeep },
        { id: 'settlingDeadline', src: 'deadline', input: settlingDeadline },
      ],
      on: {
        'reply.kept': { target: 'judging', actions: 'keepReply' },
        'reply.unkept': { target: 'judging', actions: 'keepUnkept' },
        'settling.expired': { target: 'judging', actions: 'keepUnkept' },
        'attempt.stop': { actions: 'keepStopReason' },
        'attempt.lost': { actions: 'noteRestart' },
      },
    },

    judging: {
      tags: 'choice',
      always: [
        { guard: 'itFinished', target: 'completed' },
        { guard: 'itFinishedInPart', target: 'partial' },
        { guard: 'itWasPassedOver', target: 'skipped' },
        { guard: 'aPersonStoppedIt', target: 'stopped', actions: 'blameNobody' },
        { guard: 'theAppShutDown', target: 'interrupted', actions: 'blameTheShutdown' },
        { guard: 'itWasLostAtItsGate', target: 'parked' },
        { guard: 'itWasLost', target: 'interrupted', actions: 'blameTheRestart' },
        { guard: 'itTimedOut', target: 'timedOut' },
        { guard: 'aPersonWantsAnotherTry', target: 'onFloor' },
        { guard: 'theSessionMayBeRebuilt', target: 'onFloor', actions: 'markRebuilt' },
        { guard: 'theOutcomeIsUnknown', target: 'parked', actions: 'openRetryGate' },
        { guard: 'itMayTryAgain', target: 'backingOff', actions: 'armBackoff' },
        { target: 'failed' },
      ],
    },

    backingOff: {
      invoke: [
        { id: 'watchBoot', src: 'watchBoot', input: attemptLost },
        { id: 'backoffDeadline', src: 'deadline', input: backoffDeadline },
      ],
      on: {
        'backoff.passed': { target: 'onFloor' },
        'attempt.retry': { target: 'onFloor' },
        'attempt.stop': { target: 'judging', actions: 'keepStopReason' },
        'attempt.lost': { target: 'judging', actions: 'noteLoss' },
      },
    },

    parked: {
      tags: ['resting', 'needsYou'],
      invoke: { id: 'followGate', src: 'followGate', input: gateToFollow },
      exit: 'leaveGate',
      on: {
        'gate.answered': [
          { guard: 'theApprovalIsTooOld', target: 'parked', reenter: true, actions: ['keepApproval', 'openRetryGate'] },
          { guard: 'itIsGranted', target: 'onFloor', actions: ['continueFromGate', 'tellRoundItGoesOn'] },
          { guard: 'itIsTheGate', target: 'judging', actions: 'dropGate' },
        ],
        'gate.closed': { guard: 'itIsTheGate', target: 'judging', actions: 'dropGate' },
        'attempt.stop': { target: 'judging', actions: ['keepStopReason', 'dropGate'] },
      },
    },

    completed: { type: 'final', entry: { type: 'endAs', params: { end: 'completed' } } },
    partial: { type: 'final', entry: { type: 'endAs', params: { end: 'partial' } } },
    failed: { type: 'final', entry: { type: 'endAs', params: { end: 'failed' } } },
    timedOut: { type: 'final', entry: { type: 'endAs', params: { end: 'timedOut' } } },
    stopped: { type: 'final', entry: { type: 'endAs', params: { end: 'stopped' } } },
    interrupted: { type: 'final', entry: { type: 'endAs', params: { end: 'interrupted' } } },
    skipped: { type: 'final', entry: { type: 'endAs', params: { end: 'skipped' } } },
  },
})
