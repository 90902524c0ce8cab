import { join } from 'node:path'
import { openStores } from '../../electron/stores/open.ts'
import { bytesOf } from '../../electron/stores/files.ts'
import { attempt, conversation, event, run } from '../electron/stores/records.ts'
import { median, type Figure } from './figure.ts'
import { removeFolder, seededFolder } from './seed.ts'

const repeats = 400
/** What a snapshot of a discussion of three over six rounds holds. */
const snapshotCharacters = 4_700

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
    commit(1)
    const log = join(folder, 'parley.db-wal')
    const bytes = bytesOf(log)
    commit(2)
    const written = bytesOf(log) - bytes
    const times: number[] = []
    const held: number[] = []
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      const before = performance.now()
      commit(repeat + 3)
      held.push(performance.now() - before)
      await stores.ledger.sync()
      times.push(performance.now() - before)
    }
    return [
      {
        what: `durable checkpoint, ${stored.toLocaleString('en-US')} stored runs`,
        value: median(times),
        unit: 'ms',
        budget: { atMost: 2 },
      },
      { what: '  of which main stands still', value: median(held), unit: 'ms', budget: null },
      { what: '  the slowest of 400', value: Math.max(...times), unit: 'ms', budget: null },
      { what: '  bytes that it writes', value: written / 1_024, unit: 'KB', budget: null },
    ]
  } finally {
    stores.close()
    removeFolder(folder)
  }
}

const snapshotOf = (seq: number) => JSON.stringify({ seq, filler: 'x'.repeat(snapshotCharacters) })
