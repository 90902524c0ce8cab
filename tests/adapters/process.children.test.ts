import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { launchMarker, listProcesses, carriersOf } from '../../adapters/process-tree.ts'
import type { Leftover } from '../../adapters/process-sweep.ts'
import type { LiveProcess } from '../../adapters/live-process.ts'
import { Processes, reap, runOnce } from '../../adapters/process.ts'
import { outputMaxBytes } from '../../shared/limits.ts'

const env = { PATH: process.env.PATH ?? '', HOME: tmpdir() }
const processes = new Processes()
const host = join(import.meta.dirname, '..', 'fakes', 'guarded-host.ts')
const onLinux = process.platform === 'linux'
const endless = 'while :; do sleep 1; done'
const stubborn = `trap '' TERM; setsid sh -c "trap '' TERM; ${endless}" & ${endless}`

afterAll(() => processes.endAll())

interface Started {
  live: LiveProcess
  lines: string[]
  token: string
}

const startNode = (script: string): Promise<Started> => start(process.execPath, ['-e', script], processes)
const startShell = (script: string, all = processes): Promise<Started> => start('/bin/sh', ['-c', script], all)

const start = async (file: string, args: readonly string[], all: Processes): Promise<Started> => {
  const lines: string[] = []
  const token = `test-${crypto.randomUUID()}`
  const live = await all.launch({
    program: { file, before: [] },
    args,
    cwd: tmpdir(),
    env,
    token,
    redact: (text) => text,
    hear: { line: (text) => lines.push(text), omitted: ({ bytes }) => lines.push(`omitted ${bytes}`) },
  })
  return { live, lines, token }
}

const survivors = async (token: string) => {
  const rows = await listProcesses(async () => '')
  return (await carriersOf(new Set([token]), rows)).length
}

/** Waits until the check holds; `expect.poll` is not for tests that run side by side. */
const soon = (check: () => void | Promise<void>, timeout = 5_000) => vi.waitFor(check, { timeout, interval: 20 })

const said = (started: Started, line: string) => soon(() => expect(started.lines).toContain(line))

describe.concurrent('processes', () => {
  test('a process hears what is written to it, is heard, and ends when its input ends', async () => {
    const { live, lines } = await startShell('cat; echo to the log >&2')
    live.write('한글 and 😀')
    const end = await live.end()
    expect(lines).toEqual(['한글 and 😀'])
    expect(end).toEqual({ code: 0, signal: null, stderr: 'to the log', killed: 0 })
    expect(live.write('too late')).toBe(false)
  })

  test('an agent that reads its input to the end before it says anything is let go by that end', async () => {
    const { live, lines } = await startNode('process.stdin.resume().on("end", () => console.log("now"))')
    await live.end()
    expect(lines).toEqual(['now'])
  })

  test('the last line of a child that outlives its parent is heard, though it has no end', async () => {
    const { live, lines } = await startShell('(sleep 0.3; printf \'{"final":"text"}\') & exit 0')
    expect(await live.gone).toMatchObject({ code: 0 })
    expect(lines).toEqual(['{"final":"text"}'])
  })

  test('a pipe that somebody has inherited cannot hold the end up for long', async () => {
    const began = performance.now()
    const { live, lines } = await startShell('sleep 60 & echo said; exit 3')
    const end = await live.gone
    expect(end.code).toBe(3)
    expect(lines).toEqual(['said'])
    expect(performance.now() - began).toBeLessThan(4_500)
  })

  test.runIf(onLinux)(
    'a grandchild that ignores SIGTERM and has left the group is gone when the end is reported',
    async () => {
      const started = await startShell(
        `trap '' TERM; setsid sh -c "trap '' TERM; while :; do sleep 1; done" & echo up; while :; do sleep 1; done`,
      )
      await said(started, 'up')
      await soon(async () => expect(await survivors(started.token)).toBeGreaterThan(2))
      const end = await started.live.end()
      expect(await survivors(started.token)).toBe(0)
      expect(end.killed).toBeGreaterThan(1)
    },
    15_000,
  )

  test('nothing is written any more once the end is reported', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-process-'))
    const file = join(folder, 'growing.txt')
    const started = await startNode(`process.on("SIGTERM", () => {}); process.stdin.resume()
    setInterval(() => require("fs").appendFileSync(${JSON.stringify(file)}, "x"), 5); console.log("up")`)
    await said(started, 'up')
    await soon(() => expect(existsSync(file)).toBe(true))
    await started.live.end()
    const { size } = await stat(file)
    expect(await survivors(started.token)).toBe(0)
    expect((await readFile(file)).length).toBe(size)
  }, 15_000)

  test('killing needs no patience', async () => {
    const started = await startShell(`trap '' TERM; sleep 600 & echo up; while :; do sleep 1; done`)
    await said(started, 'up')
    const began = performance.now()
    started.live.kill()
    expect(await started.live.gone).toMatchObject({ signal: 'SIGKILL' })
    expect(performance.now() - began).toBeLessThan(1_500)
  })

  test('one that prints without end is stopped, and that is the cause', async () => {
    const { live, lines } = await startNode(
      'const b = Buffer.alloc(65536, 120); const go = () => process.stdout.write(b, go); go()',
    )
    await live.gone
    expect(live.cause?.code).toBe('agent.output-limit')
    expect(lines).toHaveLength(1)
    expect(Number(lines[0]?.split(' ')[1])).toBeLessThanOrEqual(outputMaxBytes)
  })

  test('the first cause stays, whatever follows from it', async () => {
    const { live } = await startNode('process.stdin.resume()')
    const ending = live.end({ code: 'agent.silent', message: 'It was silent.' })
    live.kill({ code: 'agent.crashed', message: 'It crashed.' })
    await ending
    expect(live.cause?.code).toBe('agent.silent')
  })

  test('a line that is too long does not end the conversation', async () => {
    const { live, lines } = await startNode(`console.log("{" + "x".repeat(8 * 1024 * 1024)); console.log('{"last":1}')`)
    await live.gone
    expect(lines).toEqual([`omitted ${8 * 1_024 * 1_024 + 1}`, '{"last":1}'])
  })

  describe('a start that fails', () => {
    const launch = (file: string, cwd: string) =>
      processes.launch({
        program: { file, before: [] },
        args: [],
        cwd,
        env,
        token: 'x',
        redact: (text) => text,
        hear: { line() {}, omitted() {} },
      })

    test('because the working directory is gone says so', async () => {
      await expect(launch(process.execPath, join(tmpdir(), 'not-there'))).rejects.toMatchObject({
        code: 'workdir.missing',
      })
    })

    test.each([
      [join(tmpdir(), 'no-program'), 'ENOENT'],
      [tmpdir(), 'EACCES'],
    ])('because of the program says why', async (file, reason) => {
      await expect(launch(file, tmpdir())).rejects.toMatchObject({ code: 'agent.spawn-failed', params: { reason } })
    })
  })

  test('the child gets the given environment and the marker, and nothing else', async () => {
    const { live, lines, token } = await startNode('console.log(JSON.stringify(process.env))')
    await live.gone
    expect(JSON.parse(lines[0] ?? '')).toEqual({ ...env, [launchMarker]: token })
  })

  test('thirty starts and stops leave nothing behind', async () => {
    const all = new Processes()
    const started = await Promise.all(Array.from({ length: 30 }, () => startShell('sleep 600 & cat', all)))
    await all.endAll()
    expect(all.live).toEqual([])
    const left = await Promise.all(started.map(({ token }) => survivors(token)))
    expect(left).toEqual(started.map(() => 0))
  })

  describe('what an earlier start left behind', () => {
    const leftover = async (token: string) => {
      // not through `Processes`: this one belongs to a Parley that has crashed
      const child = spawn('/bin/sh', ['-c', 'sleep 600 & sleep 600'], {
        env: { ...env, [launchMarker]: token },
        detached: true,
        stdio: 'ignore',
      })
      await once(child, 'spawn')
      const row = (await listProcesses(async () => '')).find(({ pid }) => pid === child.pid)
      return { child, record: { pid: child.pid ?? 0, startTime: row?.startTime ?? '', token } satisfies Leftover }
    }

    test.runIf(onLinux)('is ended by its marker, with its children, and nothing else is', async () => {
      const ours = await leftover(`test-${crypto.randomUUID()}`)
      const others = await leftover(`test-${crypto.randomUUID()}`)
      const exited = once(ours.child, 'exit')
      await soon(async () => expect(await survivors(ours.record.token)).toBeGreaterThan(1))
      expect(await reap([ours.record])).toBeGreaterThan(1)
      await exited
      expect(await survivors(ours.record.token)).toBe(0)
      expect(await survivors(others.record.token)).toBeGreaterThan(0)
      expect(await reap([others.record])).toBeGreaterThan(0)
    })

    test('is not looked for under a number that another process has now', async () => {
      const bystander = await leftover(`test-${crypto.randomUUID()}`)
      expect(await reap([{ ...bystander.record, token: 'never-launched', startTime: '1' }])).toBe(0)
      expect(bystander.child.exitCode).toBeNull()
      process.kill(-(bystander.child.pid ?? 0), 'SIGKILL')
    })

    test('is known, because every launch and its end are written down', async () => {
      const written: string[] = []
      const recorded = new Processes({
        launched: ({ token, startTime }) =>
          written.push(`launched ${token} ${startTime === '' ? 'at no time' : 'at a time'}`),
        gone: ({ token }) => written.push(`gone ${token}`),
      })
      const live = await recorded.launch({
        program: { file: '/bin/cat', before: [] },
        args: [],
        cwd: tmpdir(),
        env,
        token: 't1',
        redact: (text) => text,
        hear: { line() {}, omitted() {} },
      })
      await live.end()
      await soon(() => expect(written).toEqual(['launched t1 at a time', 'gone t1']))
    })
  })

  describe('a Parley that is killed', () => {
    test.runIf(onLinux)(
      'does not leave its agents at work',
      async () => {
        const token = `test-${crypto.randomUUID()}`
        const child = spawn(process.execPath, [host, 'stay', token, '/bin/sh', '-c', stubborn], {
          stdio: ['ignore', 'pipe', 'ignore'],
        })
        try {
          await once(child.stdout, 'data')
          await soon(async () => expect(await survivors(token)).toBeGreaterThan(2))
        } finally {
          child.kill('SIGKILL')
        }
        await soon(async () => expect(await survivors(token)).toBe(0), 10_000)
      },
      20_000,
    )

    test('is not kept from an orderly end by its guard', async () => {
      const token = `test-${crypto.randomUUID()}`
      const args = [host, 'leave', token, '/bin/cat']
      const end = await runOnce({ file: process.execPath, args, env, atMostMs: 10_000 })
      expect(end).toMatchObject({ status: 'ended', code: 0 })
    })
  })

  describe('a short program', () => {
    test('is heard to its end', async () => {
      expect(
        await runOnce({ file: '/bin/sh', args: ['-c', 'echo out; echo err >&2; exit 4'], env, atMostMs: 5_000 }),
      ).toEqual({ status: 'ended', code: 4, stdout: 'out\n', stderr: 'err\n' })
    })

    test('is given up when it is late, with its children', async () => {
      const began = performance.now()
      expect(await runOnce({ file: '/bin/sh', args: ['-c', 'sleep 60 | sleep 60'], env, atMostMs: 100 })).toEqual({
        status: 'failed',
        reason: 'late',
      })
      expect(performance.now() - began).toBeLessThan(1_000)
    })

    test('is given up when nobody wants to know any more', async () => {
      expect(
        await runOnce({ file: '/bin/sleep', args: ['60'], env, atMostMs: 60_000, signal: AbortSignal.timeout(50) }),
      ).toEqual({ status: 'failed', reason: 'aborted' })
    })

    test('that is not there failed', async () => {
      expect(await runOnce({ file: '/no/such', args: [], env, atMostMs: 100 })).toEqual({
        status: 'failed',
        reason: 'missing',
      })
    })
  })
})
