import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Launched, processesIn, type Ended } from '../fakes/launched.ts'

let folders: { data: string; work: string }
let started: Launched[]

beforeEach(async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-terminal-')))
  folders = { data: join(folder, 'data'), work: join(folder, 'work') }
  await mkdir(folders.work)
  started = []
})
afterEach(async () => {
  for (const { process } of started) process.kill('SIGKILL')
  await Promise.all(started.map(({ ended }) => ended))
  await rm(join(folders.data, '..'), { recursive: true, force: true })
})

const launch = (...args: string[]): Launched => {
  const launched = new Launched(args, folders)
  started.push(launched)
  return launched
}
const run = (...args: string[]): Promise<Ended> => launch(...args).ended
const lastLine = ({ out }: Ended): unknown => JSON.parse(out.trimEnd().split('\n').at(-1) ?? '')
const inspect = async () => lastLine(await run('--inspect', '--json')) as { runs: Record<string, unknown>[] }
const pair = '--agents=rehearsal:bold,rehearsal:careful'

describe('a scripted discussion', () => {
  test('prints its outline beside, its outcome as one JSON line, and is inspected as the same afterwards', async () => {
    const ended = await run('--topic=Tabs or spaces? [[agree]]', pair, '--rounds=3', '--gates=deny', '--json')
    expect({ code: ended.code, lines: ended.out.trimEnd().split('\n').length }).toEqual({ code: 0, lines: 1 })
    expect(ended.outline).toContain('✓ run: agreed')
    const outcome = lastLine(ended) as { runId: string; rounds: { attempts: object[] }[] }
    expect(outcome).toEqual({
      runId: expect.any(String),
      status: 'agreed',
      rounds: outcome.rounds.map((_, index) => ({
        round: index + 1,
        attempts: ['rehearsal:bold', 'rehearsal:careful'].map((agent) => ({
          agent, status: 'completed', vote: expect.stringMatching(/^(agree|continue)$/), position: expect.any(String),
        })),
      })),
      gates: [],
    })
    const attempt = (agent: string) => ({
      attemptId: expect.any(String), agent, round: 1, status: 'completed', reason: null, textLength: expect.any(Number),
    })
    expect((await inspect()).runs).toEqual([{
      runId: outcome.runId, conversation: 'Tabs or spaces?', status: 'agreed', startedAt: expect.any(Number),
      settledAt: expect.any(Number), reason: null,
      attempts: expect.arrayContaining([attempt('rehearsal:bold'), attempt('rehearsal:careful')]),
      gates: [],
    }])
  })

  test.each([['allow', 'done'], ['deny', 'denied']])('answers its gates by --gates=%s', async (policy, outcome) => {
    const ended = await run('--topic=Tabs or spaces? [[ask:careful@1]]', pair, '--rounds=1', `--gates=${policy}`)
    expect(ended.code).toBe(0)
    expect(ended.out).toContain('? Careful asks: run a command')
    expect(ended.out).toMatch(new RegExp(`Careful: awaiting gate[^]*\\+ execute: .*\\(${outcome}\\)`))
  })

  test('that nobody can be asked about denies, and says so', async () => {
    const ended = await run('--topic=Tabs or spaces? [[ask:careful@1]]', pair, '--rounds=1', '--gates=ask')
    expect(ended.out).toContain('There is no terminal to ask at, so what agents ask for is denied.')
    expect(ended.out).toContain('(denied)')
  })

  test('in which every agent fails ends with 1', async () => {
    const ended = await run('--topic=Tabs or spaces? [[fail]]', pair, '--rounds=1', '--blind-first', '--json')
    expect({ code: ended.code, outcome: lastLine(ended) }).toMatchObject({ code: 1, outcome: { status: 'failed' } })
  })
})

test('where there is no display and no terminal, a rehearsal of a default topic runs to its end', async () => {
  const ended = await run()
  expect(ended.code).toBe(0)
  expect(ended.outline).toContain('There is no display here, so Parley runs in this terminal.')
  expect(ended.out).toContain('This is a rehearsal')
  expect(ended.out).toMatch(/\n(They agree|The rounds are up)/)
})

describe('what interrupts it', () => {
  test('Ctrl+C stops the run, leaves no process, ends with 3, and is told as stopped', async () => {
    const launched = launch('--topic=Tabs or spaces? [[hang:careful@1]]', pair, '--json')
    await launched.prints('● Careful: streaming')
    launched.process.kill('SIGINT')
    const ended = await launched.ended
    expect({ code: ended.code, left: await processesIn(folders.work), outcome: lastLine(ended) }).toMatchObject({
      code: 3, left: 0,
      outcome: { status: 'stopped', rounds: [{ attempts: [{ status: 'completed' }, { status: 'stopped' }] }] },
    })
    expect((await inspect()).runs).toMatchObject([
      { status: 'stopped', reason: 'person', attempts: [{}, { status: 'stopped' }] },
    ])
  })

  test('Ctrl+C that only npm hears arrives, and the exit code comes back through npm', async () => {
    const launched = new Launched(['--topic=Tabs or spaces? [[hang:bold@1]]', pair, '--json'], folders, 'npm')
    started.push(launched)
    await launched.prints('● Bold: streaming')
    launched.process.kill('SIGINT')
    const ended = await launched.ended
    expect({ code: ended.code, outcome: lastLine(ended) }).toMatchObject({ code: 3, outcome: { status: 'stopped' } })
  })

  test('the end of the session interrupts the run, leaves no process, and ends with 3', async () => {
    const launched = launch('--topic=Tabs or spaces? [[hang:careful@1]]', pair, '--json')
    await launched.prints('● Careful: streaming')
    launched.process.kill('SIGTERM')
    const ended = await launched.ended
    expect({ code: ended.code, left: await processesIn(folders.work), outcome: lastLine(ended) }).toMatchObject({
      code: 3, left: 0, outcome: { status: 'interrupted' },
    })
    expect((await inspect()).runs).toMatchObject([{ status: 'interrupted', attempts: [{}, { status: 'interrupted' }] }])
  })

  test.each(['SIGINT', 'SIGTERM'] as const)('%s before the discussion begins ends with 3 as well', async (signal) => {
    const launched = launch('--topic=Tabs or spaces?', pair, '--json')
    await launched.prints('Parley ')
    launched.process.kill(signal)
    const ended = await launched.ended
    expect(ended.code).toBe(3)
    // nothing was begun, or what was begun is told
    const told = ended.out === '' ? null : lastLine(ended)
    expect([null, { status: signal === 'SIGINT' ? 'stopped' : 'interrupted' }]).toContainEqual(
      told && { status: (told as { status: string }).status },
    )
  })

  test('a crash is told as an interruption, before the next start and after it, with the text so far', async () => {
    const launched = launch('--topic=Tabs or spaces? [[hang:careful@1]]', pair)
    await launched.prints('● Careful: streaming')
    launched.process.kill('SIGKILL')
    await launched.ended
    const left = await stored()
    const before = await inspect()
    expect(await stored()).toEqual(left)
    expect(before.runs).toMatchObject([
      { status: 'interrupted', attempts: [{ status: 'completed' }, { status: 'interrupted' }] },
    ])
    const next = await run('--topic=And now? [[agree]]', pair, '--rounds=1')
    expect(next.out).toContain('ended without warning: 1 run was interrupted, 0 questions are still open.')
    expect(await processesIn(folders.work)).toBe(0)
    const [first, second] = (await inspect()).runs
    expect(first).toMatchObject({ ...before.runs[0], settledAt: expect.any(Number) })
    expect(second).toMatchObject({ conversation: 'And now?' })
  })
})

describe('inspection', () => {
  test('of a folder that is not there finds nothing and makes nothing', async () => {
    expect(await inspect()).toEqual({ runs: [] })
    expect(existsSync(folders.data)).toBe(false)
  })

  test('changes nothing, and reads for people too', async () => {
    await run('--topic=Tabs or spaces?', pair, '--rounds=1')
    const before = await stored()
    const ended = await run('--inspect')
    expect(await stored()).toEqual(before)
    expect(ended.out).toMatch(/^✓ Tabs or spaces\? · completed\n {2}run_\w+ · /)
    expect(ended.out).toMatch(/ {4}✓ rehearsal:bold: completed · \d+ characters\n/)
  })

  test('looks on while a discussion runs, and a second one is refused beside it', async () => {
    const launched = launch('--topic=Tabs or spaces? [[hang:careful@1]]', pair)
    await launched.prints('● Careful: streaming')
    expect((await inspect()).runs).toMatchObject([{ status: 'running', attempts: [{}, { status: 'streaming' }] }])
    const second = await run('--topic=Me too', pair)
    expect(second.code).toBe(1)
    expect(second.out).toContain('Another Parley is using')
  })

  test('of what cannot be read says so and leaves it as it is', async () => {
    await mkdir(folders.data)
    await writeFile(join(folders.data, 'parley.db'), 'no database')
    const ended = await run('--inspect', '--json')
    expect({ code: ended.code, out: ended.out }).toEqual({ code: 1, out: '' })
    expect(ended.outline).toBe('Parley: What is stored cannot be read. It was left as it is.\n')
    expect(await readFile(join(folders.data, 'parley.db'), 'utf8')).toBe('no database')
  })
})

test.each([
  ['--rounds=0'], ['--agents=nobody'], ['--inspect', '--topic=T'], ['--topic=T', '--workdir=nowhere'],
  ['--topic=T', `--workdir=${import.meta.filename}`], ['--inspect', `--data=${import.meta.filename}`],
  ['--topic=T', `--data=${join(import.meta.filename, 'inside')}`], ['--topic', '-T'],
])('bad usage (%s) is one sentence, exit code 2, and leaves nothing behind', async (...args) => {
  const ended = await run(...args)
  expect({ code: ended.code, out: ended.out, lines: ended.outline.trimEnd().split('\n').length }).toEqual({
    code: 2, out: '', lines: 1,
  })
  expect(existsSync(folders.data)).toBe(false)
})

/** Every file of the data folder with a short word for what it holds. */
const stored = async () => {
  const names = (await readdir(folders.data)).toSorted()
  const files = await Promise.all(names.map((name) => readFile(join(folders.data, name))))
  return files.map((content, index) => `${names[index]} ${createHash('sha256').update(content).digest('hex')}`)
}
