import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openLog } from '../../electron/log.ts'
import { logFileMaxBytes } from '../../shared/limits.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-log-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const lines = async () => {
  const text = await readFile(join(folder, 'log', 'parley.log'), 'utf8')
  return text.trim().split('\n').map((line): unknown => JSON.parse(line))
}

test('each line is one JSON object with the ids that its log was made for', async () => {
  const log = openLog(folder)
  log.for({ runId: 'r1' }).for({ attemptId: 'a1' }).info('attempt.settled', { tookMs: 12 })
  log.error('ledger.unwritable')
  log.close()
  expect(await lines()).toEqual([
    { at: expect.any(String), level: 'info', code: 'attempt.settled', runId: 'r1', attemptId: 'a1', tookMs: 12 },
    { at: expect.any(String), level: 'error', code: 'ledger.unwritable' },
  ])
})

test('the file is for its owner only, and a long value is cut', async () => {
  const log = openLog(folder)
  log.info('long', { value: 'x'.repeat(5_000) })
  log.close()
  expect((await stat(join(folder, 'log', 'parley.log'))).mode & 0o777).toBe(0o600)
  expect((await lines()).map((line) => JSON.stringify(line).length)).toEqual([expect.any(Number)])
  expect(JSON.stringify(await lines()).length).toBeLessThan(400)
})

test('a full file makes way, and only the one before it is kept', async () => {
  const log = openLog(folder)
  const count = Math.ceil((2.5 * logFileMaxBytes) / 250)
  for (let line = 0; line < count; line += 1) log.info('filler', { value: 'x'.repeat(200) })
  log.close()
  const names = await readdir(join(folder, 'log'))
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, 'log', name))).size))
  expect(names.toSorted()).toEqual(['parley.1.log', 'parley.log'])
  expect(Math.max(...sizes)).toBeLessThanOrEqual(logFileMaxBytes)
})

test('a log that cannot be written is silent', async () => {
  const blocked = join(folder, 'a-file')
  await writeFile(blocked, '')
  const log = openLog(blocked)
  log.info('nowhere')
  log.close()
  expect(await readFile(blocked, 'utf8')).toBe('')
})
