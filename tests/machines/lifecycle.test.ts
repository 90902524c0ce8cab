import { createActor } from 'xstate'
import { describe, expect, test } from 'vitest'
import { event, now } from './events.ts'
import { missedBy } from './law.ts'
import { Stage } from './stage.ts'
import { leafOf, walk, type AnyEvent } from './walk.ts'

const failure = { code: 'ledger.damaged', message: 'damaged' }
const full = { code: 'ledger.unwritable', message: 'full' }
const locked = { code: 'ledger.locked', message: 'locked' }
const opened = [event('stores.opened'), event('work.restored')]
const busy = event('quit.surveyed', { running: 2 })
const refused = [event('ledger.failed', { failure: full })]
const again = [event('disk.writable'), event('work.restored')]
const idle = event('quit.surveyed', { running: 0 })
const waiting = [...opened, event('app.quit'), busy, event('quit.wait')]
const late = event('wait.expired')
const events: AnyEvent[] = [
  ...opened, busy, idle,
  event('stores.untrusted', { failure }), event('ledger.failed', { failure }),
  event('stores.untrusted', { failure: full }), event('ledger.failed', { failure: full }), event('disk.writable'),
  event('work.ended'), event('stores.closed'), event('wait.expired'),
  event('work.rested'), event('children.gone'),
  event('app.quit'), event('app.mustQuit'), event('quit.confirm'), event('quit.wait'), event('quit.cancel'),
]

test('every state and every arrow is reached, and the walk ends by itself', () => {
  const machine = new Stage('first').lifecycle()
  const found = walk({ machine, input: { at: now }, events: () => events, limit: 2_000 })
  expect(missedBy('lifecycle', [found])).toEqual([])
  expect(found.closed).toBe(true)
})

describe('the application', () => {
  test.each([
    ['serves once its work is back', opened, 'serving'],
    ['refuses to write to stores it cannot trust', [event('stores.untrusted', { failure })], 'held'],
    ['refuses to write when opening takes too long', [event('wait.expired')], 'held'],
    ['refuses to write once the ledger is damaged', [...opened, event('ledger.failed', { failure })], 'held'],
    ['waits for a disk that takes no more', [...opened, event('ledger.failed', { failure: full })], 'waiting'],
    ['waits for a disk that is full at the start', [event('stores.untrusted', { failure: full })], 'waiting'],
    ['waits for a program that kept the file', [...opened, event('ledger.failed', { failure: locked })], 'waiting'],
    ['leaves a folder to the Parley that has it', [event('stores.untrusted', { failure: locked })], 'held'],
    ['takes its work up again before it serves', [...opened, ...refused, event('disk.writable')], 'reopening'],
    ['serves once its work is back again', [...opened, ...refused, ...again], 'serving'],
    ['waits again when the disk refuses again', [...opened, ...refused, event('disk.writable'), ...refused], 'waiting'],
    ['asks before it quits while something runs', [...opened, event('app.quit'), busy], 'askingToQuit'],
    ['serves on when quitting is cancelled', [...opened, event('app.quit'), busy, event('quit.cancel')], 'serving'],
    ['quits at once when nothing runs', [...opened, event('app.quit'), idle], 'draining'],
    ['does not ask when the system logs out', [...opened, event('app.mustQuit')], 'draining'],
    ['closes its stores when all work has ended', [...opened, event('app.mustQuit'), event('work.ended')], 'closing'],
    ['waits until nothing runs when it is told to', [...waiting], 'waitingToQuit'],
    ['quits by itself when what it waited for has ended', [...waiting, event('work.rested')], 'draining'],
    ['quits at once when the wait becomes too long', [...waiting, event('quit.confirm')], 'draining'],
    ['stays open when the wait is called off', [...waiting, event('quit.cancel')], 'serving'],
    ['looks anew when it is asked to quit again', [...opened, event('app.quit'), busy, event('app.quit')], 'surveying'],
    ['kills what did not end by itself', [event('app.mustQuit'), late], 'killing'],
    ['closes its stores once nothing lives', [event('app.mustQuit'), late, event('children.gone')], 'closing'],
    ['closes in the end, whatever hangs', [event('app.quit'), late, late, late], 'closed'],
  ])('%s', (_title, given, end) => {
    const actor = createActor(new Stage('first').lifecycle(), { input: { at: now } }).start()
    for (const each of given) actor.send(each as never)
    expect(leafOf(actor.getSnapshot().value)).toBe(end)
  })

  test('does one thing at a time: what belongs to the state before is over', () => {
    const stage = new Stage('first')
    const actor = createActor(stage.lifecycle(), { input: { at: now } }).start()
    const story = [...opened, event('app.quit'), busy, event('quit.confirm'), event('work.ended')]
    const seen = story.map((each) => {
      actor.send(each as never)
      return stage.playing.map((playing) => playing.actor).filter((name) => name !== 'deadline')
    })
    expect(seen).toEqual([['restoreWork'], [], ['surveyWork'], [], ['endWork'], ['closeStores']])
  })
})
