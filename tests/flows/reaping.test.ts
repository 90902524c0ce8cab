import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import { launchMarker, startTimeOf } from '../../adapters/process-tree.ts'
import { isAlive } from '../fakes/is-alive.ts'
import { mute, openOffices } from '../fakes/open-offices.ts'

const offices = openOffices()
const children: ChildProcess[] = []

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** A process that does nothing for long; with a token, it carries our marker. */
const idler = async (token: string | null) => {
  const env = token === null ? {} : { [launchMarker]: token }
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { env, stdio: 'ignore', detached: true })
  children.push(child)
  await once(child, 'spawn')
  const pid = child.pid ?? 0
  return { pid, startTime: await startOf(pid) }
}

/** One of ours whose child has put off its marker and ignores SIGTERM. */
const withUnmarkedChild = async (token: string) => {
  const deaf = `process.on('SIGTERM', () => {}); console.log(process.pid); setInterval(() => {}, 1000)`
  const script = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(deaf)}], {
    env: {}, detached: true, stdio: ['ignore', 'inherit', 'ignore'] }); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['-e', script], {
    env: { [launchMarker]: token }, stdio: ['ignore', 'pipe', 'ignore'], detached: true,
  })
  children.push(child)
  const [line] = await once(child.stdout, 'data')
  return { pid: child.pid ?? 0, startTime: await startOf(child.pid ?? 0), childPid: Number(String(line)) }
}

const startOf = async (pid: number) => (await startTimeOf(pid, async () => '')) ?? ''

test.runIf(process.platform === 'linux')('what ours has started is ended with it, though it hides', async () => {
  const { office } = await offices.open(({ say }) => say('Here.'))
  const { childPid, ...ours } = await withUnmarkedChild('token-parent')
  office.stores.launches.add({ ...ours, token: 'token-parent' })
  await offices.afterACrash(office, [mute()])
  // an orphan that nobody buries is no life
  expect(await Promise.all([ours.pid, childPid].map(startOf))).toEqual(['', ''])
})

test.runIf(process.platform === 'linux')(
  'after a hard crash what is left of ours is ended, and whoever has a number of ours now is not touched',
  async () => {
    const { office } = await offices.open(({ say }) => say('Here.'))
    const [ours, sameNumber, sameMoment, otherToken] = await Promise.all([
      idler('token-ours'), idler(null), idler(null), idler('token-of-another-parley'),
    ])
    const { launches } = office.stores
    launches.add({ ...ours, token: 'token-ours' })
    // the numbers of ours have been given to others since
    launches.add({ ...sameNumber, startTime: '1', token: 'token-gone' })
    launches.add({ ...sameMoment, token: 'token-gone-too' })
    launches.add({ ...otherToken, token: 'token-gone-as-well' })
    const next = await offices.afterACrash(office, [mute()])
    expect((await next.handlers['app.snapshot']({})).app.recovered).toMatchObject({ processesEnded: 1 })
    expect([ours, sameNumber, sameMoment, otherToken].map(({ pid }) => isAlive(pid))).toEqual([false, true, true, true])
    expect(next.stores.launches.all()).toEqual([])
  },
)
