import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, expect, test } from 'vitest'
import * as z from 'zod'
import { rehearsalAdapter } from '../../adapters/agents/rehearsal.ts'
import { Processes } from '../../adapters/process.ts'
import { TestOffice } from '../fakes/office.ts'

const offices: TestOffice[] = []
const children: ChildProcess[] = []

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const office of offices.splice(0)) {
    await office.quit()
    office.remove()
  }
})

const Told = z.object({
  conversationId: z.string(), runId: z.string(), gateId: z.string(), expiresAt: z.number(), texts: z.array(z.string()),
})

/** Starts Parley in another process, waits until it is in the middle of things, and kills it without warning. */
const killInTheMiddle = async (topic: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-kill-'))
  const main = join(import.meta.dirname, '../fakes/office-process.ts')
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, folder, topic], {
    env: { ...process.env, PARLEY_REHEARSAL_PACE: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const lines = createInterface({ input: child.stdout })
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  lines.once('line', resolve)
  child.once('exit', () => reject(new Error('it ended by itself')))
  const told = Told.parse(JSON.parse(await promise))
  const gone = new Promise((done) => {
    child.once('exit', done)
  })
  child.kill('SIGKILL')
  await gone
  return { folder, ...told }
}

const openAgain = async (folder: string) => {
  process.env.PARLEY_REHEARSAL_PACE = '0'
  const office = new TestOffice([rehearsalAdapter(new Processes())], folder)
  offices.push(office)
  await office.start()
  return office
}

/** Whoever still carries the marker of a launch from this folder's runs. */
const survivors = (folder: string): string[] =>
  readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      const environ = readFileSync(`/proc/${pid}/environ`, 'utf8')
      return environ.includes('PARLEY_ATTEMPT=') && readlinkSync(`/proc/${pid}/cwd`) === folder
    } catch {
      return false
    }
  })

test('kill -9 with three agents speaking and a gate open: the next start is true, and the gate goes on', async () => {
  const { folder, runId, gateId, expiresAt, texts } = await killInTheMiddle(
    'Redis or Postgres? [[hang:bold@1]] [[ignore-signals:careful@1]] [[ask:sceptic@1]]',
  )
  const office = await openAgain(folder)
  const { turns, run } = await office.handlers['run.open']({ runId })
  expect(turns.map(({ agent, status }) => [agent, status])).toEqual([
    ['rehearsal:bold', 'interrupted'],
    ['rehearsal:careful', 'interrupted'],
    ['rehearsal:sceptic', 'parked'],
  ])
  for (const [index, text] of texts.entries()) expect(turns[index]?.text.startsWith(text)).toBe(true)
  expect(run.status).toBe('running')
  expect(survivors(folder)).toEqual([])
  expect((await office.handlers['gate.list']({})).gates).toMatchObject([{ gateId, expiresAt }])

  await office.handlers['gate.answer']({ gateId, optionId: 'allow', note: null })
  await office.until(async () =>
    (await office.handlers['run.open']({ runId })).turns.find(
      ({ agent, round, status }) => agent === 'rehearsal:sceptic' && round === 1 && status === 'completed',
    ),
  )
  await office.handlers['run.stop']({ runId }).catch(() => undefined)
  expect(['stopped', 'agreed', 'roundsUp']).toContain(await office.runEnds(runId))
}, 40_000)
