import { setup } from 'xstate'
import {
  checkInstall, clearInstall, confirmInstall, deadline, fetchPackage, installPackage, verifyPackage,
} from './blanks.ts'
import {
  freshInstall, installActions, installGuards, task, wait,
  type InstallContext, type InstallEvent, type InstallInput,
} from './install/memory.ts'

/**
 * Installs one agent at a time. Nothing is changed before what is published is what we pinned, and whatever does not
 * end in the expected version answering is removed again.
 *
 * It is never stored: a new start goes on with none, is told of one that the last start did not finish, and removes
 * what is left of that before it begins another.
 */
export const installMachine = setup({
  types: {} as {
    context: InstallContext
    events: InstallEvent
    input: InstallInput
    tags: 'resting'
  },
  actors: { checkInstall, verifyPackage, fetchPackage, installPackage, confirmInstall, clearInstall, deadline },
  guards: installGuards,
  actions: installActions,
}).createMachine({
  id: 'install',
  context: freshInstall,
  initial: 'resting',
  states: {
    resting: {
      tags: 'resting',
      initial: 'idle',
      on: {
        'install.start': { target: 'going', actions: 'begin' },
      },
      states: {
        idle: {
          on: { 'install.left': { target: 'interrupted', actions: 'recall' } },
        },
        interrupted: {
          on: { 'install.cancel': { guard: 'itIsThisInstall', target: 'cancelled', actions: 'noteEnd' } },
        },
        installed: {},
        failed: {},
        cancelled: {},
      },
    },

    going: {
      initial: 'checking',
      on: {
        'install.cancel': { guard: 'itIsThisInstall', target: 'clearing', actions: 'armClearing' },
        'install.failed': { target: 'clearing', actions: ['keepFailure', 'armClearing'] },
        'wait.expired': { target: 'clearing', actions: ['keepLateness', 'armClearing'] },
      },
      states: {
        checking: {
          invoke: [
            { id: 'checkInstall', src: 'checkInstall', input: task },
            { id: 'wait', src: 'deadline', input: wait },
          ],
          on: { 'install.checked': { target: 'verifying', actions: 'armVerifying' } },
        },
        verifying: {
          invoke: [
            { id: 'verifyPackage', src: 'verifyPackage', input: task },
            { id: 'wait', src: 'deadline', input: wait },
          ],
          on: { 'package.verified': { target: 'fetching', actions: 'armFetching' } },
        },
        fetching: {
          invoke: [
            { id: 'fetchPackage', src: 'fetchPackage', input: task },
            { id: 'wait', src: 'deadline', input: wait },
          ],
          on: { 'package.fetched': { target: 'installing', actions: 'armInstalling' } },
        },
        installing: {
          invoke: [
            { id: 'installPackage', src: 'installPackage', input: task },
            { id: 'wait', src: 'deadline', input: wait },
          ],
          on: { 'package.installed': { target: 'confirming', actions: 'armConfirming' } },
        },
        confirming: {
          invoke: [
            { id: 'confirmInstall', src: 'confirmInstall', input: task },
            { id: 'wait', src: 'deadline', input: wait },
          ],
          on: { 'install.confirmed': { target: '#install.resting.installed', actions: 'noteEnd' } },
        },
      },
    },

    clearing: {
      invoke: [
        { id: 'clearInstall', src: 'clearInstall', input: task },
        { id: 'wait', src: 'deadline', input: wait },
      ],
      on: {
        'install.cleared': [
          { guard: 'itHasFailed', target: 'resting.failed', actions: 'noteEnd' },
          { target: 'resting.cancelled', actions: 'noteEnd' },
        ],
        'install.uncleared': { target: 'resting.failed', actions: ['keepFailure', 'noteEnd'] },
        'wait.expired': { target: 'resting.failed', actions: ['keepLeftovers', 'noteEnd'] },
      },
    },
  },
})
