import { expect, test } from 'vitest'
import { faultKinds, FaultyDisk } from './faulty-disk.ts'
import { cutPower } from './power-cut.ts'
import { failFrom } from './storage-faults.ts'

/** Some steps of opening, then some of each part of the session; `npm run test:crash` goes through all of them. */
const operations = [1, 3, 5, 7, 8, 10, 18, 57, 101, 149, 251]

test('a disk that fails: read-only with the reason, all is there, and it goes on by itself once there is room', async () => {
  const verdicts = await Promise.all(
    operations.map(async (from, index) => {
      const kind = faultKinds[index % (faultKinds.length - 1)] ?? 'full'
      const { failedAt, wrong } = await failFrom(kind, from)
      return { from, reached: failedAt !== null, wrong }
    }),
  )
  expect(verdicts).toEqual(operations.map((from) => ({ from, reached: true, wrong: [] })))
}, 60_000)

test('a slow disk delays what is waited for, and loses nothing', async () => {
  expect(await failFrom('slow', 1)).toMatchObject({ readOnly: false, wrong: [] })
})

test('after a power cut everything is there that a person was told, whatever is left of the rest of the log', async () => {
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
