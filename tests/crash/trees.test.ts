import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { carriersOf, listProcesses } from '../../adapters/process-tree.ts'
import { Processes, runOnce } from '../../adapters/process.ts'
import { outputMaxBytes } from '../../shared/limits.ts'
import type { Deed, TapeEntry } from '../fakes/tape.ts'
import { playing } from '../fakes/tape-file.ts'
import { openActor, say } from '../adapters/agents/fake-agent.ts'

const all = new Processes()
const env = { PATH: process.env.PATH ?? '' }
const fakes = join(import.meta.dirname, '..', 'fakes')

afterAll(() => all.endAll())

const survivors = async (token: string) =>
  (await carriersOf(new Set([token]), await listProcesses(async () => ''))).length

const soon = (check: () => void | Promise<void>, timeout = 10_000) => vi.waitFor(check, { timeout, interval: 20 })

const start = async (tape: readonly TapeEntry[], processes = all) => {
  const lines: string[] = []
  const token = `tree-${crypto.randomUUID()}`
  const live = await processes.launch({
    program: { file: process.execPath, before: [] },
    args: playing(tape),
    cwd: tmpdir(),
    env,
    token,
    redact: (text) => text,
    hear: { line: (text) => lines.push(text), omitted: () => {} },
  })
  return { live, lines, token }
}

type How = (Deed & { do: 'spawn' })['how']

/** Each says that it is there, heeds no signal that can be ignored, and holds the pipes of the first. */
const tree = (...hows: How[]): TapeEntry[] => [
  { do: 'ignore', signal: 'SIGTERM' },
  { do: 'ignore', signal: 'SIGINT' },
  { do: 'ignore', signal: 'SIGHUP' },
  ...(hows[0] ? [{ do: 'spawn', how: hows[0], tape: tree(...hows.slice(1)) } as const] : []),
  { do: 'print', text: 'up\n' },
  { do: 'hang' },
]

const trees: [name: string, hows: How[]][] = [
  ['in one group', ['child', 'child', 'child']],
  ['each in a session of its own', ['setsid', 'setsid', 'setsid']],
  ['of orphans', ['double-fork', 'double-fork', 'double-fork']],
  ['that mixes all', ['child', 'setsid', 'double-fork']],
]

describe.concurrent.each(trees)('a tree three deep %s, which ignores signals and holds the pipes', (_, hows) => {
  const grown = async (processes = all) => {
    const started = await start(tree(...hows), processes)
    await soon(() => expect(started.lines).toHaveLength(hows.length + 1))
    return started
  }

  test('is gone after a close', async () => {
    const { live, token } = await grown()
    // those of its own group die with it, and are not counted one by one
    expect((await live.end()).killed).toBeGreaterThan(0)
    expect(await survivors(token)).toBe(0)
  })

  test('is gone after a kill', async () => {
    const { live, token } = await grown()
    live.kill()
    await live.gone
    expect(await survivors(token)).toBe(0)
  })

  test('is gone after the end of all', async () => {
    const processes = new Processes()
    const started = await Promise.all([grown(processes), grown(processes)])
    await processes.endAll()
    expect(processes.live).toEqual([])
    expect(await Promise.all(started.map(({ token }) => survivors(token)))).toEqual([0, 0])
  })

  test('is gone when its first process has ended by itself', async () => {
    const [first] = hows
    const { live, token, lines } = await start([
      { do: 'spawn', how: first ?? 'child', tape: tree(...hows.slice(1)) },
      { do: 'wait', ms: 1_500 },
      { do: 'exit', code: 0 },
    ])
    expect(await live.gone).toMatchObject({ code: 0 })
    expect(lines.length).toBeGreaterThan(0)
    expect(await survivors(token)).toBe(0)
  })

  test('does not outlive a Parley that is killed', async () => {
    const token = `tree-${crypto.randomUUID()}`
    const host = join(fakes, 'guarded-host.ts')
    const child = spawn(process.execPath, [host, 'stay', token, process.execPath, ...playing(tree(...hows))], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    try {
      await once(child.stdout, 'data')
      await soon(async () => expect(await survivors(token)).toBe(hows.length + 1))
    } finally {
      child.kill('SIGKILL')
    }
    await soon(async () => expect(await survivors(token)).toBe(0))
  })
})

test('what a grandchild in another session writes has an end when the end is reported', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'parley-tree-')), 'growing.txt')
  const deaf: TapeEntry = { do: 'ignore', signal: 'SIGTERM' }
  const writer: TapeEntry[] = [deaf, { do: 'scribble', file, everyMs: 5 }, { do: 'hang' }]
  const { live } = await start([{ do: 'spawn', how: 'setsid', tape: writer }, { do: 'hang' }])
  await soon(() => expect(statSync(file).size).toBeGreaterThan(3))
  await live.end()
  const { size } = statSync(file)
  // meanwhile it would have written more
  await all.launch({
    program: { file: '/bin/true', before: [] },
    args: [],
    cwd: '/',
    env,
    token: 'later',
    redact: (text) => text,
    hear: { line() {}, omitted() {} },
  })
  expect((await readFile(file)).length).toBe(size)
})

const measured = async (script: string, arg: string) => {
  const end = await runOnce({
    file: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', join(fakes, script), arg],
    env,
    atMostMs: 120_000,
  })
  if (end.status !== 'ended') throw new Error(`${script} ${end.reason}`)
  return JSON.parse(end.stdout) as Record<string, number | string>
}

test('a thousand starts and stops leave no process and no descriptor', async () => {
  const { started, before, after, alive, live } = await measured('many-starts.ts', '1000')
  expect({ started, alive, live }).toEqual({ started: 1_001, alive: 0, live: 0 })
  expect(after).toBe(before)
}, 120_000)

describe('a line of two gigabytes', () => {
  test('costs no more memory than a turn may print, for it is ended long before', async () => {
    const { grownMegabytes, omitted, code } = await measured('endless-line.ts', 'process')
    expect(code).toBe('agent.output-limit')
    expect(omitted).toBeLessThanOrEqual(outputMaxBytes)
    expect(grownMegabytes).toBeLessThanOrEqual(64)
  }, 120_000)

  test('costs no more even if it were read to its end', async () => {
    const { grownMegabytes, omitted } = await measured('endless-line.ts', 'reader')
    expect(omitted).toBe(2 * 1_024 ** 3)
    expect(grownMegabytes).toBeLessThanOrEqual(64)
  }, 120_000)

  test('fails the turn by its name, and nothing lives', async () => {
    const token = `tree-${crypto.randomUUID()}`
    const session = await openActor(
      'codex',
      [[{ act: 'say', text: 'Before.' }, { do: 'flood', text: 'x'.repeat(65_536), times: 32_768 }]],
      { token },
    )
    const { end, text } = await say(session)
    expect(end).toMatchObject({ status: 'failed', failure: { code: 'agent.output-limit' } })
    expect(text).toBe('Before.')
    await session.gone
    expect(await survivors(token)).toBe(0)
  }, 60_000)
})
