import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openDoor } from '../../electron/door.ts'
import { silentLog } from '../../electron/log.ts'
import { AwakeClock } from '../../electron/supervisors/awake-clock.ts'
import { Lifecycle } from '../../electron/supervisors/lifecycle.ts'
import { fenceOf } from '../../electron/wiring/fence.ts'
import { wiredLifecycle } from '../../electron/wiring/lifecycle.ts'
import { childrenGoneMs, closingMs, drainMs } from '../../shared/limits.ts'
import { commandNames } from '../../shared/ipc.ts'
import { FakeAdapter } from '../fakes/fake-adapter.ts'
import { processesIn } from '../fakes/launched.ts'
import { TestOffice } from '../fakes/office.ts'
import { mute, openOffices } from '../fakes/open-offices.ts'
import { quietShell } from '../fakes/quiet-shell.ts'
import type { TapeEntry, Turn } from '../fakes/tape.ts'
import { tapeAdapters } from '../fakes/tape-adapters.ts'

const offices = openOffices()

/** An office with one run that goes on until the test lets it end. */
const running = async () => {
  const goOn = Promise.withResolvers<void>()
  const { office, adapter } = await offices.open(async ({ say }) => {
    say('Let me think. ')
    await goOn.promise
    say('Done.')
  })
  const conversationId = await office.chat()
  const runId = await office.send(conversationId, 'Go?')
  await office.turn(runId, 'rehearsal:bold', 'streaming')
  const quit = (wish: 'ask' | 'wait' | 'now' | 'cancel') => office.handlers['app.quit']({ wish })
  return { office, adapter, conversationId, runId, goOn, quit }
}

const isClosed = (office: TestOffice) =>
  office.until(async () => office.pushes.some(({ body }) => JSON.stringify(body).includes('"lifecycle":"closed"')))

test('nothing runs: asking to quit quits', async () => {
  const { office } = await offices.open(({ say }) => say('Here.'))
  expect(await office.handlers['app.quit']({ wish: 'ask' })).toMatchObject({ quitting: 'no' })
  expect(office.composition.mayServe()).toBe(false)
  await isClosed(office)
})

test('something runs: it is listed, and a no changes nothing', async () => {
  const { office, conversationId, runId, goOn, quit } = await running()
  expect(await quit('ask')).toMatchObject({
    quitting: 'asked', survey: { interrupts: [{ conversationId }], keeps: [], install: null },
  })
  expect(await quit('cancel')).toMatchObject({ quitting: 'no' })
  expect(office.composition.mayServe()).toBe(true)
  goOn.resolve()
  expect(await office.runEnds(runId)).toBe('completed')
})

test('waiting lets what runs end, starts nothing that is queued, and quits then', async () => {
  const { office, conversationId, runId, goOn, quit } = await running()
  await office.handlers['message.send']({
    conversationId, text: 'And then?', targets: null, settings: null, unlimitedConfirmed: false,
  })
  expect(await quit('wait')).toMatchObject({ quitting: 'waiting' })
  expect((await office.handlers['app.snapshot']({})).app.quitting).toBe('waiting')
  goOn.resolve()
  await isClosed(office)
  const next = await offices.next(office, [mute()])
  expect((await next.handlers['run.open']({ runId })).run.status).toBe('completed')
  const open = await next.handlers['conversation.open']({ conversationId, before: null })
  expect(open.queue.map(({ text }) => text)).toEqual(['And then?'])
})

test('who stays after all gets what was queued meanwhile', async () => {
  const { office, conversationId, runId, goOn, quit } = await running()
  const beside = await office.chat('rehearsal:careful')
  await office.send(beside, 'Go on.')
  await office.handlers['message.send']({
    conversationId, text: 'And then?', targets: null, settings: null, unlimitedConfirmed: false,
  })
  await quit('wait')
  const { run } = await office.handlers['run.open']({ runId })
  expect(run.status).toBe('running')
  expect(await quit('cancel')).toMatchObject({ quitting: 'no' })
  goOn.resolve()
  const queued = await office.until(async () => {
    const { runs, queue } = await office.handlers['conversation.open']({ conversationId, before: null })
    return queue.length === 0 && runs.length === 2 && runs[1]
  })
  expect(await office.runEnds(queued.run.runId)).toBe('completed')
})

test('a run that was stopped before keeps that reason', async () => {
  const { office, adapter, runId } = await running()
  const stopping = office.handlers['run.stop']({ runId })
  await Promise.all([stopping, office.quit()])
  expect(adapter.alive).toBe(0)
  const next = await offices.next(office, [mute()])
  const { run } = await next.handlers['run.open']({ runId })
  expect(run).toMatchObject({ status: 'stopped', stop: { kind: 'person' } })
})

test('however often quitting is asked for there is one clean-up, and the door is shut at once', async () => {
  const { office, adapter, runId, quit } = await running()
  await quit('now')
  const door = openDoor({
    handlers: office.handlers, pageUrl: 'file:///page', mayServe: () => office.composition.mayServe(), log: silentLog(),
  })
  const sender = { window: true, mainFrame: true, url: 'file:///page' }
  for (const name of commandNames) {
    expect(await door.call(sender, name, '{}')).toMatchObject({ ok: false, failure: { code: 'app.shutting-down' } })
  }
  const ends = [office.composition.quit('asked'), office.composition.quit('forced'), office.composition.quit('asked')]
  expect(new Set(ends).size).toBe(1)
  await Promise.all(ends)
  expect(adapter.alive).toBe(0)
  const steps = office.pushes.flatMap(({ topic, body }) =>
    topic === 'app.changed' ? [(body as { app: { lifecycle: string } }).app.lifecycle] : [])
  expect(steps.filter((step) => step === 'closed')).toHaveLength(1)
  const next = await offices.next(office, [mute()])
  const { events } = await next.handlers['run.events']({ runId, after: 0, limit: 500 })
  expect(events.filter(({ machine, value }) => machine === 'run' && value === 'interrupted')).toHaveLength(1)
})

test('a child that ignores every signal it can is gone before quitting is over, within the stated time', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-deaf-'))
  const deaf = (['SIGTERM', 'SIGINT', 'SIGHUP'] as const).map((signal): TapeEntry => ({ do: 'ignore', signal }))
  const turns: Turn[] = [[{ act: 'say', text: 'On it. ' }, { do: 'hang' }]]
  const tapes = { codex: [...deaf, { do: 'serve', dialect: 'codex', turns } satisfies TapeEntry] }
  const office = new TestOffice((processes) => tapeAdapters(tapes, { processes, env: process.env }), folder)
  await office.start()
  try {
    const runId = await office.send(await office.chat('codex'), 'Go.')
    await office.until(async () => (await office.handlers['run.open']({ runId })).turns[0]?.text)
    expect(await processesIn(folder)).toBe(1)
    const since = performance.now()
    await office.composition.quit('asked')
    expect(await processesIn(folder)).toBe(0)
    expect(performance.now() - since).toBeLessThan(childrenGoneMs)
  } finally {
    await office.quit()
    office.remove()
  }
})

describe('where work does not end by itself', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('processes are killed when its time is up, and the stores get their own time after that', async () => {
    const done: [string, number][] = []
    const awake = new AwakeClock(Date.now)
    const begun = Date.now()
    const note = async (what: string) => void done.push([what, Date.now() - begun])
    const lifecycle = new Lifecycle(
      wiredLifecycle({
        fence: fenceOf('boot', Date.now),
        awake,
        openStores: async () => undefined,
        restoreWork: async () => undefined,
        awaitDisk: () => never,
        reopenWork: () => never,
        countRunning: () => 0,
        whenRested: () => () => undefined,
        endWork: () => never,
        killChildren: () => note('killed').then(() => never),
        closeStores: () => note('closed'),
      }),
      () => undefined,
      Date.now,
    )
    await lifecycle.start()
    const quitting = lifecycle.quit('forced')
    await vi.advanceTimersByTimeAsync(childrenGoneMs + closingMs)
    await quitting
    awake.stop()
    expect(done.map(([what]) => what)).toEqual(['killed', 'closed'])
    expect(done[0]?.[1]).toBeGreaterThanOrEqual(drainMs)
    expect(done[1]?.[1]).toBeGreaterThanOrEqual(childrenGoneMs)
  })
})

test('an installation that was cut off is told by the next start until it is let be', async () => {
  const { office } = await offices.open(({ say }) => say('Here.'))
  office.stores.meta.set('install.begun', JSON.stringify({ agent: 'codex', taskId: 'install_1', startedAt: 7 }))
  const next = await offices.next(office, [mute()])
  const told = async (of: TestOffice) => (await of.handlers['app.snapshot']({})).install
  expect(await told(next)).toMatchObject({ agent: 'codex', state: 'interrupted', startedAt: 7 })
  await next.handlers['install.cancel']({ taskId: 'install_1' })
  expect(await told(await offices.next(next, [mute()]))).toBeNull()
})

test('the shell is told to go once what was waited for has ended', async () => {
  let told = 0
  const goOn = Promise.withResolvers<void>()
  const adapter = new FakeAdapter(async ({ say }) => {
    await goOn.promise
    say('Done.')
  })
  const shell = { ...quietShell, quit: () => void (told += 1) }
  const office = new TestOffice([adapter], undefined, { shell })
  await office.start()
  try {
    const runId = await office.send(await office.chat(), 'Go?')
    await office.turn(runId, 'rehearsal:bold', 'streaming')
    await office.handlers['app.quit']({ wish: 'wait' })
    expect(told).toBe(0)
    goOn.resolve()
    await office.until(async () => told > 0)
    await office.quit()
    expect(told).toBe(1)
  } finally {
    office.remove()
  }
})

const never = Promise.withResolvers<never>().promise
