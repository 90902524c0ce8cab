import { expect, onTestFinished, test, vi } from 'vitest'
import type { Around } from '../../shared/steps.ts'
import { TestOffice } from '../fakes/office.ts'
import { rehearsal } from './agents.ts'
import { faultKinds, FaultyDisk } from './faulty-disk.ts'
import { inPlace } from './kills.ts'
import { cutPower } from './power-cut.ts'
import { failFrom } from './storage-faults.ts'
import { aliveIn } from './witness.ts'

/** Some steps of opening, then some of each part of the session; `npm run test:crash` goes through all of them. */
const operations = [1, 3, 5, 7, 8, 10, 18, 57, 101, 149, 251]

test('a disk that fails: read-only with the reason, all is there, and it goes on by itself', async () => {
  const verdicts = await Promise.all(
    operations.map(async (from, index) => {
      const kind = faultKinds[index % (faultKinds.length - 1)] ?? 'full'
      const { failedAt, wrong } = await failFrom(kind, from)
      return { from, reached: failedAt !== null, wrong }
    }),
  )
  expect(verdicts).toEqual(operations.map((from) => ({ from, reached: true, wrong: [] })))
}, 60_000)

test('a process whose start cannot be recorded is ended, and its run says why', async () => {
  await inPlace(async ({ data }) => {
    const disk = new FaultyDisk('full', 1)
    disk.mend()
    // the disk is full as the process is there
    const around: Around = (step, work) => {
      if (step.kind === 'commit' && step.of.includes('into launches')) disk.breakDown()
      return disk.around(step, work)
    }
    const office = new TestOffice(rehearsal, data, { around })
    onTestFinished(() => office.quit())
    await office.start()
    const conversationId = await office.chat()
    // whoever sends may hear of it first, or of its acceptance
    await office.send(conversationId, 'Go?').catch(() => undefined)
    const readOnly = async () => (await office.handlers['app.snapshot']({})).app.readOnly
    await office.until(readOnly)
    await vi.waitFor(() => expect(aliveIn(data)).toEqual([]), { timeout: 5_000 })
    disk.mend()
    await office.until(async () => (await readOnly()) === null)
    const [view] = (await office.handlers['conversation.open']({ conversationId, before: null })).runs
    const said = (view?.turns ?? []).map(({ status, failure }) => [status, failure?.code])
    expect([[view?.run.status, view?.run.reason?.code], ...said]).toEqual([
      ['interrupted', 'ledger.unwritable'], ['interrupted', 'ledger.unwritable'],
    ])
  })
})

test('a slow disk delays what is waited for, and loses nothing', async () => {
  expect(await failFrom('slow', 1)).toMatchObject({ readOnly: false, wrong: [] })
})

test('after a power cut everything is there that a person was told, whatever else is torn', async () => {
  const cuts = await cutPower(3)
  expect(cuts.flatMap(({ after, wrong }) => wrong.map((line) => `${after}: ${line}`))).toEqual([])
  expect(cuts.filter(({ lostBytes }) => lostBytes > 0).length).toBeGreaterThan(1)
}, 60_000)

test('a disk that is mended takes what it refused', () => {
  const disk = new FaultyDisk('full', 1)
  const write = () => disk.around({ kind: 'commit', of: 'insert' }, () => 'written')
  expect(write).toThrow('full')
  disk.mend()
  expect(write()).toBe('written')
})
