import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { openStores } from '../../electron/stores/open.ts'
import { freshFolder } from '../electron/stores/fresh.ts'
import { startChild } from './start-child.ts'

const crashes = 20

test(
  'what was acknowledged before a kill -9 is there afterwards, whole, twenty times over',
  { timeout: 60_000 },
  async () => {
    const folder = freshFolder()
    for (let crash = 1; crash <= crashes; crash += 1) {
      const acknowledged = await writeUntilKilled(folder, crash * 3)
      const { lastSeq, numbersInOneCut, words, integrity } = whatIsStored(folder)
      expect({ integrity, numbersInOneCut, lost: Math.max(0, acknowledged - lastSeq) }).toEqual({
        integrity: [],
        numbersInOneCut: [lastSeq, lastSeq, lastSeq],
        lost: 0,
      })
      expect(words).toEqual(Array.from({ length: words.length }, (_, index) => index + 1))
      expect([lastSeq, lastSeq + 1]).toContain(words.length)
    }
  },
)

test('a folder whose holder was killed is free at once', async () => {
  const folder = freshFolder()
  const holder = startWriting(folder)
  await once(holder.stdout, 'data')
  expect(() => openStores(folder)).toThrow(expect.objectContaining({ code: 'ledger.locked' }))
  holder.kill('SIGKILL')
  await once(holder, 'close')
  const stores = openStores(folder)
  onTestFinished(() => stores.close())
  expect(stores.conversations.get('conversation-one')?.name).toBe('Talk conversation-one')
})

/** Kills the writer after so many acknowledged cuts and gives back the last number it had said. */
const writeUntilKilled = async (folder: string, cuts: number): Promise<number> => {
  const child = startWriting(folder)
  let said = 0
  let last = 0
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === 'ready') continue
    last = Number(line)
    said += 1
    if (said === cuts) child.kill('SIGKILL')
  }
  return last
}

const startWriting = (folder: string) => startChild('writing-child.ts', folder)

const whatIsStored = (folder: string) => {
  const stores = openStores(folder)
  try {
    const [snapshot] = stores.ledger.liveSnapshots()
    return {
      integrity: stores.integrity(),
      lastSeq: stores.ledger.lastSeq('run-one'),
      numbersInOneCut: [
        z.object({ seq: z.number() }).parse(JSON.parse(snapshot!.snapshot)).seq,
        stores.runs.get('run-one')?.round,
        stores.attempts.get('attempt-one')?.tries,
      ],
      words: stores.attempts.text('attempt-one').trim().split(' ').map(Number),
    }
  } finally {
    stores.close()
  }
}
