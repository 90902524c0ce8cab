import { setup } from 'xstate'
import {
  awaitDisk, closeStores, deadline, endWork, killChildren, openStores, reopenWork, restoreWork, surveyWork, watchWork,
} from './blanks.ts'
import {
  freshLifecycle, lifecycleActions, lifecycleGuards, nothing, wait,
  type LifecycleContext, type LifecycleEvent, type LifecycleInput,
} from './lifecycle/memory.ts'

/**
 * The lifecycle opens what we trust, serves, and closes without leaving anything alive.
 *
 * It is never stored: a new start is a new actor. What a start finds of the last one is dealt with in `restoring`.
 */
export const lifecycleMachine = setup({
  types: {} as {
    context: LifecycleContext
    events: LifecycleEvent
    input: LifecycleInput
    tags: 'choice' | 'needsYou'
  },
  actors: {
    openStores, restoreWork, surveyWork, watchWork, awaitDisk, reopenWork, endWork, killChildren, closeStores, deadline,
  },
  guards: lifecycleGuards,
  actions: lifecycleActions,
}).createMachine({
  id: 'lifecycle',
  context: freshLifecycle,
  initial: 'starting',
  states: {
    starting: {
      initial: 'opening',
      on: {
        'stores.untrusted': { target: 'readOnly', actions: 'keepFailure' },
        'ledger.failed': { target: 'readOnly', actions: 'keepFailure' },
        'wait.expired': { target: 'readOnly', actions: 'keepFailure' },
        'app.quit': { target: 'draining', actions: 'armDraining' },
        'app.mustQuit': { target: 'draining', actions: 'armDraining' },
      },
      states: {
        opening: {
          invoke: [
            { id: 'openStores', src: 'openStores', input: nothing },
            { id: 'wait', src: 'deadline', input: wait },
          ],
          on: {
            'stores.opened': { target: 'restoring', actions: 'armRestoring' },
          },
        },
        restoring: {
          invoke: [
            { id: 'restoreWork', src: 'restoreWork', input: nothing },
            { id: 'wait', src: 'deadline', input: wait },
          ],
          on: {
            'work.restored': { target: '#lifecycle.ready', actions: 'disarm' },
          },
        },
      },
    },

    ready: {
      initial: 'serving',
      on: {
        'app.mustQuit': { target: 'draining', actions: 'armDraining' },
        'ledger.failed': { target: 'readOnly', actions: 'keepFailure' },
      },
      states: {
        serving: {
          on: {
            'app.quit': { target: 'surveying', actions: 'armSurveying' },
          },
        },
        surveying: {
          invoke: [
            { id: 'surveyWork', src: 'surveyWork', input: nothing },
            { id: 'wait', src: 'deadline', input: wait },
          ],
          on: {
            'quit.surveyed': [
              { guard: 'somethingRuns', target: 'askingToQuit', actions: 'keepRunning' },
              { target: '#lifecycle.draining', actions: 'armDraining' },
            ],
            'wait.expired': { target: '#lifecycle.draining', actions: 'armDraining' },
          },
        },
        askingToQuit: {
          tags: 'needsYou',
          on: {
            'quit.confirm': { target: '#lifecycle.draining', actions: 'armDraining' },
            'quit.wait': { target: 'waitingToQuit' },
            'quit.cancel': { target: 'serving' },
            'app.quit': { target: 'surveying', actions: 'armSurveying' },
          },
        },
        waitingToQuit: {
          invoke: { id: 'watchWork', src: 'watchWork', input: nothing },
          on: {
            'work.rested': { target: '#lifecycle.draining', actions: 'armDraining' },
            'quit.confirm': { target: '#lifecycle.draining', actions: 'armDraining' },
            'quit.cancel': { target: 'serving' },
          },
        },
      },
    },

    readOnly: {
      initial: 'judging',
      on: {
        'app.quit': { target: 'draining', actions: 'armDraining' },
        'app.mustQuit': { target: 'draining', actions: 'armDraining' },
      },
      states: {
        judging: {
          tags: 'choice',
          always: [{ guard: 'theDiskMayPass', target: 'waiting' }, { target: 'held' }],
        },
        waiting: {
          invoke: { id: 'awaitDisk', src: 'awaitDisk', input: nothing },
          on: {
            'disk.writable': { target: 'reopening', actions: 'armRestoring' },
          },
        },
        reopening: {
          invoke: [
            { id: 'reopenWork', src: 'reopenWork', input: nothing },
            { id: 'wait', src: 'deadline', input: wait },
          ],
          on: {
            'work.restored': { target: '#lifecycle.ready', actions: 'forgetFailure' },
            'stores.untrusted': { target: 'judging', actions: 'keepFailure' },
            'ledger.failed': { target: 'judging', actions: 'keepFailure' },
            'wait.expired': { target: 'judging', actions: 'keepFailure' },
          },
        },
        held: {},
      },
    },

    draining: {
      invoke: [
        { id: 'endWork', src: 'endWork', input: nothing },
        { id: 'wait', src: 'deadline', input: wait },
      ],
      on: {
        'work.ended': { target: 'closing', actions: 'armClosing' },
        'wait.expired': { target: 'killing', actions: 'armKilling' },
      },
    },

    killing: {
      invoke: [
        { id: 'killChildren', src: 'killChildren', input: nothing },
        { id: 'wait', src: 'deadline', input: wait },
      ],
      on: {
        'children.gone': { target: 'closing', actions: 'armClosing' },
        'wait.expired': { target: 'closing', actions: 'armClosing' },
      },
    },

    closing: {
      invoke: [
        { id: 'closeStores', src: 'closeStores', input: nothing },
        { id: 'wait', src: 'deadline', input: wait },
      ],
      on: {
        'stores.closed': { target: 'closed' },
        'wait.expired': { target: 'closed' },
      },
    },

    closed: { type: 'final' },
  },
})
