import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Log } from '../../../electron/log.ts'
import { Upkeep } from '../../../electron/supervisors/upkeep.ts'
import {
  backupAtEndAfterMs, backupAtEndMs, backupEveryMs, backupFirstMs, backupRetryMs, upkeepLookMs,
} from '../../../shared/limits.ts'
import { freshStores, withTask } from '../stores/fresh.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

type Outcome = 'made' | 'failed' | 'stopped' | 'unsound'

/** Backups that are only written down. */
class FakeBackups {
  newestAt: number | null = null
  isBehind = true
  bytes = 0
  readonly made: { at: number; replaces: boolean }[] = []
  /** Whether one lasts until it is stopped. */
  lasts = false
  outcome: Outcome = 'made'
  #stop: (outcome: Outcome) => void = () => undefined

  async make(at: number, { replaces }: { replaces: boolean }): Promise<Outcome> {
    const outcome = this.lasts ? await this.#untilStopped() : this.outcome
    if (outcome !== 'made') return outcome
    this.made.push({ at, replaces })
    this.newestAt = at
    return outcome
  }

  #untilStopped() {
    return new Promise<Outcome>((resolve) => {
      this.#stop = resolve
    })
  }

  async stop() {
    this.#stop('stopped')
  }
}

const kept = (more: Partial<FakeBackups> = {}) => {
  const stores = freshStores()
  const backups = Object.assign(new FakeBackups(), more)
  const lines: string[] = []
  const write = (code: string) => void lines.push(code)
  const log: Log = { info: write, warn: write, error: write, for: () => log, close: () => undefined }
  const upkeep = new Upkeep({ stores, backups, log, now: Date.now })
  onTestFinished(() => upkeep.rest())
  const begun = Date.now()
  upkeep.begin()
  let changes = 0
  const change = () => withTask(stores, 'conversation-one', `run-${(changes += 1)}`)
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
  return { stores, backups, upkeep, lines, change, pass, begun, times: () => backups.made.map(({ at }) => at - begun) }
}

test('the first backup is made soon after a start, and the next ones while something is written', async () => {
  const { change, pass, times } = kept()
  await pass(backupFirstMs + upkeepLookMs)
  expect(times()).toHaveLength(1)
  await pass(3 * backupEveryMs)
  expect(times()).toHaveLength(1)
  change()
  await pass(upkeepLookMs)
  change()
  await pass(backupEveryMs + 2 * upkeepLookMs)
  expect(times()).toHaveLength(3)
})

test('none is made after a start while nothing is new', async () => {
  const { backups, pass } = kept({ isBehind: false })
  await pass(3 * backupEveryMs)
  expect(backups.made).toEqual([])
})

test('one that fails is told in the log and tried again, and what is written goes on', async () => {
  const { backups, stores, lines, change, pass } = kept()
  backups.outcome = 'failed'
  await pass(backupFirstMs + 2 * upkeepLookMs)
  change()
  expect([lines, backups.made, stores.integrity()]).toEqual([['backup.failed'], [], []])
  backups.outcome = 'made'
  await pass(backupRetryMs + upkeepLookMs)
  expect([lines, backups.made.length]).toEqual([['backup.failed', 'backup.made'], 1])
})

test('after a deletion the next one replaces all before it, and the erasure is over with it', async () => {
  const { backups, stores, upkeep, pass, change } = kept()
  change()
  backups.newestAt = 1
  stores.conversations.delete('conversation-one')
  await upkeep.erased()
  await pass(upkeepLookMs)
  expect([backups.made.map(({ replaces }) => replaces), stores.erasure.due]).toEqual([[true], null])
})

test('a deletion without backups needs none', async () => {
  const { backups, stores, upkeep, pass, change } = kept()
  change()
  stores.conversations.delete('conversation-one')
  await upkeep.erased()
  await pass(upkeepLookMs)
  expect([backups.made, stores.erasure.due]).toEqual([[], null])
})

test('a deletion stops the backup that is being made, which would hold it', async () => {
  const { backups, stores, upkeep, pass, change } = kept()
  change()
  backups.newestAt = 1
  backups.lasts = true
  await pass(backupFirstMs + upkeepLookMs)
  stores.conversations.delete('conversation-one')
  backups.lasts = false
  await upkeep.erased()
  await pass(upkeepLookMs)
  expect([backups.made.map(({ replaces }) => replaces), stores.erasure.due]).toEqual([[true], null])
})

test('what is deleted while one replaces the others is taken out by the one after it', async () => {
  const { backups, stores, upkeep, pass, change } = kept()
  change()
  backups.newestAt = 1
  stores.erasure.begin()
  const make = backups.make.bind(backups)
  vi.spyOn(backups, 'make').mockImplementationOnce(async (at, how) => {
    stores.conversations.delete('conversation-one')
    return make(at, how)
  })
  await upkeep.erased()
  await pass(upkeepLookMs)
  expect([backups.made.map(({ replaces }) => replaces), stores.erasure.due]).toEqual([[true, true], null])
})

test('an orderly end makes one if something changed and the last is not quite new', async () => {
  const { upkeep, pass, change, times } = kept()
  await pass(backupFirstMs + upkeepLookMs)
  await pass(backupAtEndAfterMs)
  change()
  await upkeep.end()
  expect(times()).toHaveLength(2)
  await upkeep.end()
  expect(times()).toHaveLength(2)
})

test('an orderly end waits for a backup no longer than it may', async () => {
  const { backups, upkeep, pass, change } = kept()
  await pass(backupFirstMs + upkeepLookMs + backupAtEndAfterMs)
  change()
  backups.lasts = true
  const ended = vi.fn<() => void>()
  const ending = upkeep.end().then(ended)
  await pass(backupAtEndMs - 1)
  expect(ended).not.toHaveBeenCalled()
  await pass(1)
  await ending
  expect(backups.made).toHaveLength(1)
})
