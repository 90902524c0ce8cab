import { createActor } from 'xstate'
import { describe, expect, test } from 'vitest'
import { installClearMs, installPackageMs } from '../../shared/limits.ts'
import { event, now } from './events.ts'
import { changedByJson, missedBy, unnamedChildren } from './law.ts'
import { Stage } from './stage.ts'
import { leafOf, walk, type AnyEvent } from './walk.ts'

const start = event('install.start', { taskId: 'install_1', agent: 'codex' })
const cancel = event('install.cancel', { taskId: 'install_1' })
const foreign = event('install.cancel', { taskId: 'install_0' })
const checked = event('install.checked')
const verified = event('package.verified')
const fetched = event('package.fetched')
const installed = event('package.installed')
const confirmed = event('install.confirmed')
const left = event('install.left', { taskId: 'install_1', agent: 'codex', startedAt: now - 60_000 })
const cleared = event('install.cleared')
const late = event('wait.expired')
const mismatch = { code: 'install.mismatch', message: 'It is another package.' }
const stuck = { code: 'install.uncleared', message: 'It is in use.' }
const failed = event('install.failed', { failure: mismatch })
const uncleared = event('install.uncleared', { failure: stuck })
const steps = [checked, verified, fetched, installed]
const events: AnyEvent[] = [start, cancel, foreign, left, ...steps, confirmed, cleared, late, failed, uncleared]

describe('everywhere an installation can be', () => {
  const machine = new Stage('first').install()
  const walks = [walk({ machine, input: { at: now }, events: () => events, limit: 2_000 })]

  test('every state and every arrow is reached, and the walk ends by itself', () => {
    expect(missedBy('install', walks)).toEqual([])
    expect(walks.every(({ closed }) => closed)).toBe(true)
  })

  test('nothing changes on its way through JSON, and every child has a name', () => {
    expect(changedByJson(machine, walks)).toEqual([])
    expect(unnamedChildren(walks)).toEqual([])
  })

  test('it is installed only where the expected version has answered', () => {
    const early = [...(walks[0]?.taken ?? [])].filter((arrow) => arrow.includes('install.confirmed'))
    expect(early).toEqual(['going.confirming/install.confirmed/0'])
  })
})

const play = (...given: AnyEvent[]) => {
  const stage = new Stage('first')
  const actor = createActor(stage.install(), { input: { at: now } }).start()
  for (const each of given) actor.send(each as never)
  return { stage, snapshot: actor.getSnapshot(), leaf: leafOf(actor.getSnapshot().value) }
}

test.each([
  ['is interrupted where an earlier start did not finish it', [left], 'interrupted'],
  ['is begun anew after that', [left, start], 'checking'],
  ['is let be by its own word', [left, foreign, cancel], 'cancelled'],
  ['is not interrupted by what was left while it goes on', [start, left], 'checking'],
  ['is checked before anything is asked of a registry', [start], 'checking'],
  ['is installed after every step in its order', [start, ...steps, confirmed], 'installed'],
  ['does not leave out a step', [start, fetched, installed, confirmed], 'checking'],
  ['is not cancelled by the word for another one', [start, checked, foreign], 'verifying'],
  ['is cleared after its failure', [start, checked, failed], 'clearing'],
  ['has failed once that is cleared', [start, checked, failed, cleared], 'failed'],
  ['has failed where its end was too slow', [start, checked, verified, late, late], 'failed'],
  ['is cancelled where nothing failed', [start, ...steps, cancel, cleared], 'cancelled'],
  ['has failed where its cancelling left something', [start, ...steps, cancel, uncleared], 'failed'],
  ['takes no second one beside it', [start, event('install.start', { taskId: 'install_2', agent: 'claude' })],
    'checking'],
  ['can be begun again after a failure', [start, failed, cleared, start], 'checking'],
])('an installation %s', (_title, given, leaf) => {
  expect(play(...given).leaf).toBe(leaf)
})

test.each([0, 1, 2, 3, 4])('it can be cancelled after %i steps, and what it did is cleared then', (done) => {
  const { leaf, stage } = play(start, ...steps.slice(0, done), cancel)
  expect([leaf, ...stage.playing.map(({ actor }) => actor)]).toEqual(['clearing', 'clearInstall', 'deadline'])
})

test('its first failure is the reason that stays', () => {
  const { snapshot } = play(start, checked, failed, uncleared)
  expect(snapshot.context.failure).toEqual(mismatch)
})

test('a second installation does not inherit the failure of the first', () => {
  const { snapshot } = play(start, failed, cleared, start, checked)
  expect([snapshot.context.failure, snapshot.context.endedAt]).toEqual([null, null])
})

test('each step has a time of its own, counted from when it began', () => {
  const at = (each: AnyEvent, later: number) => ({ ...each, at: now + later })
  const { snapshot } = play(start, at(checked, 10), at(verified, 20), at(fetched, 30))
  expect(snapshot.context.dueAt).toBe(now + 30 + installPackageMs)
  const { snapshot: clearing } = play(start, at(checked, 10), at(cancel, 50))
  expect(clearing.context.dueAt).toBe(now + 50 + installClearMs)
})
