import { readFileSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { openStores } from '../../electron/stores/open.ts'
import { bytesOf } from '../../electron/stores/files.ts'
import { attempt, conversation, event, run } from '../electron/stores/records.ts'
import { median, type Figure } from './figure.ts'
import { removeFolder, seededFolder } from './seed.ts'

const repeats = 400
/** How many checkpoints' bytes are counted: in one of them a page is full and gets a neighbour. */
const counted = 20
/** A snapshot of a discussion of three over six rounds, as it was recorded in its second round. */
const recorded = z.record(z.string(), z.unknown()).parse(
  JSON.parse(readFileSync(new URL('./snapshot.json', import.meta.url), 'utf8')),
)

/** A transition of a live run made durable: its event, its snapshot and the two rows that lists are read from. */
export const measureCheckpoint = async (): Promise<Figure[]> =>
  [...await measureWith(64), ...await measureWith(10_000)]

const measureWith = async (stored: number): Promise<Figure[]> => {
  const folder = seededFolder({ conversations: 8, runsPerConversation: stored / 8, turnsPerRun: 3 })
  const stores = openStores(folder)
  try {
    stores.conversations.create(conversation('conversation-live'))
    const live = run('run-live', 'conversation-live')
    stores.accept({
      message: { messageId: live.messageId, conversationId: live.conversationId, text: live.topic, at: 1 },
      run: live,
    })
    const commit = (seq: number) => stores.ledger.commitSoon({
      runs: [{ ...live, round: seq }],
      attempts: [attempt('attempt-live', live, { tries: seq })],
      events: [event('run-live', seq)],
      snapshots: [{ rootId: 'run-live', machine: 'run', version: 1, snapshot: snapshotOf(seq), live: true }],
    })
    const log = join(folder, 'parley.db-wal')
    const sizes = Array.from({ length: counted + 1 }, (_, seq) => {
      commit(seq + 1)
      return bytesOf(log)
    })
    const written = sizes.slice(1).map((size, index) => size - (sizes[index] ?? 0))
    const disk = new BareDisk(join(folder, 'bare'), median(written))
    const [times, held, bare]: [number[], number[], number[]] = [[], [], []]
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      const before = performance.now()
      commit(repeat + counted + 2)
      held.push(performance.now() - before)
      await stores.ledger.sync()
      times.push(performance.now() - before)
      bare.push(await disk.append())
    }
    await disk.close()
    return [
      {
        what: `durable checkpoint, ${stored.toLocaleString('en-US')} stored runs`,
        value: median(times),
        unit: 'ms',
        budget: { atMost: 2 },
      },
      { what: '  of which main stands still', value: median(held), unit: 'ms', budget: null },
      { what: '  as many bytes put on the disk by nobody', value: median(bare), unit: 'ms', budget: null },
      { what: '  the slowest of 400', value: Math.max(...times), unit: 'ms', budget: null },
      { what: '  bytes that it writes', value: median(written) / 1_024, unit: 'KB', budget: { atMost: 16 } },
    ]
  } finally {
    stores.close()
    removeFolder(folder)
  }
}

const snapshotOf = (seq: number) => JSON.stringify({ ...recorded, seq })

/** A file to which as much is appended and synced: what the disk takes for it by itself, at the same time. */
class BareDisk {
  readonly #file: Promise<FileHandle>
  readonly #bytes: Buffer

  constructor(path: string, bytes: number) {
    this.#file = open(path, 'a')
    this.#bytes = Buffer.alloc(bytes, 7)
  }

  async append(): Promise<number> {
    const file = await this.#file
    const before = performance.now()
    await file.write(this.#bytes)
    await file.datasync()
    return performance.now() - before
  }

  async close() {
    await (await this.#file).close()
  }
}
