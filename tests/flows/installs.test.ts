import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { isAlive } from '../fakes/is-alive.ts'
import { integrityOf, NpmHouse, secret } from '../fakes/npm-house.ts'

const houses: NpmHouse[] = []
const house = (...given: ConstructorParameters<typeof NpmHouse>) => {
  const made = new NpmHouse(...given)
  houses.push(made)
  return made
}

afterEach(async () => {
  await Promise.all(houses.splice(0).map((each) => each.leave()))
})

/** What there is below the folder of agents. */
const inside = ({ agentsFolder }: NpmHouse) => (existsSync(agentsFolder) ? readdirSync(agentsFolder) : [])
const commandsOf = ({ calls }: NpmHouse) => calls.map(({ args }) => args[0])

describe('an agent that is installed', () => {
  test('goes through every step, answers with the expected version, and is known from then on', async () => {
    const home = house()
    const { state, failure, log, fetched } = await home.install()
    expect({ state, failure, fetched }).toEqual({ state: 'installed', failure: null, fetched: 1 })
    expect(home.states).toEqual(['checking', 'verifying', 'fetching', 'installing', 'confirming', 'installed'])
    expect(log.at(-1)).toBe('added 1 package in 1s')
    const [card] = home.agents.cards
    expect([card?.readiness, card?.version]).toEqual(['needsLogin', '0.171.0'])
    expect(inside(home)).toEqual(['codex'])
  })

  test('is asked for, fetched and installed by npm with its exact version, into a folder of Parley’s', async () => {
    const home = house()
    await home.install()
    const [view, pack, install] = home.calls.map(({ args }) => args)
    expect(view?.slice(0, 4)).toEqual(['view', '@openai/codex@0.171.0', 'dist.integrity', '--json'])
    expect(pack?.slice(0, 2)).toEqual(['pack', '@openai/codex@0.171.0'])
    expect(install?.slice(0, 3)).toEqual(['install', '--global', '--prefix'])
    expect(install?.[3]?.startsWith(home.agentsFolder)).toBe(true)
    expect(install).toContain('--ignore-scripts')
  })

  test('runs its own script only where the recipe says that it must', async () => {
    const home = house({}, { recipe: { scripts: true } })
    await home.install()
    expect(home.calls.at(-1)?.args).not.toContain('--ignore-scripts')
  })

  test('is installed without any key in the environment of npm', async () => {
    const home = house()
    await home.install()
    const leaks = home.calls.filter(({ env }) => JSON.stringify(env).includes(secret))
    expect(leaks).toEqual([])
    expect(home.calls[0]?.env).toMatchObject({ npm_config_registry: 'https://packages.example' })
    expect(home.calls[0]?.cwd).toBe(join(home.folder, 'home'))
  })

  test('leaves a log without secrets and of a bounded length', async () => {
    const lines = Array.from({ length: 300 }, (_, index) => `line ${index}`).join('\n')
    const told = house({ complains: `${lines}\nkey ${secret} and \x1b[31mred\x1b[0m\n${'x'.repeat(5_000)}` })
    const { log } = await told.install()
    expect(log.length).toBe(200)
    expect(log.some((line) => line.includes(secret))).toBe(false)
    expect(log).toContain('key [secret] and red')
    expect(Math.max(...log.map((line) => line.length))).toBeLessThanOrEqual(300)
  })

  test('leaves a log that does not name the home folder', async () => {
    const home = house({ complains: 'wrote $HOME/.npm/_logs' })
    const { log } = await home.install()
    expect(log).toContain('wrote ~/.npm/_logs')
  })
})

test('an agent that was installed stays when it is to be installed again', async () => {
  const home = house()
  await home.install()
  const { state, failure } = await home.install()
  expect([state, failure?.code]).toEqual(['failed', 'install.already-installed'])
  expect(inside(home)).toEqual(['codex'])
  expect((await home.agents.scan())[0]?.version).toBe('0.171.0')
})

describe('nothing is changed', () => {
  test.each([
    ['another integrity', JSON.stringify(integrityOf('another package')), 0, 'install.mismatch'],
    ['no integrity', '', 0, 'install.unverified'],
    ['a weaker hash', '"sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk="', 0, 'install.unverified'],
    ['two of them', JSON.stringify([integrityOf('one'), integrityOf('two')]), 0, 'install.unverified'],
    ['words of a proxy', '<html>log in first</html>', 0, 'install.unverified'],
    ['that it cannot be reached', '{"error":{"code":"ENOTFOUND"}}', 1, 'install.unreachable'],
    ['that there is no such version', '{"error":{"code":"E404"}}', 1, 'install.npm-failed'],
  ])('where the registry says %s', async (_title, view, viewEnds, code) => {
    const home = house({ view, viewEnds })
    const { state, failure } = await home.install()
    expect([state, failure?.code]).toEqual(['failed', code])
    expect(commandsOf(home)).toEqual(['view'])
    expect(inside(home)).toEqual([])
  })

  test('where a part of it, such as the program for this system, is another one', async () => {
    const part = { spec: 'codex-linux@0.171.0', system: 'linux-x64' as const, integrity: integrityOf('the program') }
    const views = { [part.spec]: JSON.stringify(integrityOf('another program')) }
    const home = house({ views }, { parts: [part] })
    const { state, failure } = await home.install()
    expect([state, failure?.code]).toEqual(['failed', 'install.mismatch'])
    expect(home.calls.map(({ args }) => args[1])).toEqual(['@openai/codex@0.171.0', part.spec])
    expect(inside(home)).toEqual([])
    const same = house({ views: { [part.spec]: JSON.stringify(part.integrity) } }, { parts: [part] })
    expect((await same.install()).state).toBe('installed')
  })

  test('where the archive that came is another one than the registry said', async () => {
    const home = house({ archive: 'other bytes' })
    const { state, failure } = await home.install()
    expect([state, failure?.code]).toEqual(['failed', 'install.mismatch'])
    expect(commandsOf(home)).toEqual(['view', 'pack'])
    expect(inside(home)).toEqual([])
  })

  test.each([
    ['on a system without a package', { system: 'sunos-x64' }, 'install.unsupported-system'],
    ['without npm', { withNpm: false }, 'install.npm-missing'],
    ['with a Node.js that is too old for the agent', { recipe: { node: [99, 0] as const } }, 'install.node-too-old'],
  ])('%s', async (_title, more, code) => {
    const home = house({}, more)
    const { state, failure } = await home.install()
    expect([state, failure?.code]).toEqual(['failed', code])
    expect(commandsOf(home)).toEqual([])
  })

  test('where the agent is there already, though nobody had noticed yet', async () => {
    const home = house()
    await home.agents.scan()
    home.putCodex('codex-cli 0.170.0')
    const { failure } = await home.install()
    expect(failure).toMatchObject({ code: 'install.already-installed', params: { version: '0.170.0' } })
    expect(commandsOf(home)).toEqual([])
  })

  test('where the folder of agents cannot be made', async () => {
    const home = house()
    writeFileSync(home.agentsFolder, 'a file is in the way')
    const { state, failure } = await home.install()
    expect([state, failure?.code]).toEqual(['failed', 'install.unwritable'])
    expect(commandsOf(home)).toEqual(['view'])
  })

  test('for an agent without a recipe: that is refused at once', () => {
    const home = house()
    expect(() => home.installs.start('hermes')).toThrow(expect.objectContaining({ code: 'install.unknown-agent' }))
    expect(home.installs.view).toBeNull()
  })
})

describe('what was begun is removed', () => {
  test('where npm fails, and its words are kept', async () => {
    const home = house({ install: 'fails', complains: 'gyp could not build it' })
    const { state, failure, log } = await home.install()
    expect([state, failure?.code, failure?.params]).toEqual(['failed', 'install.npm-failed', { code: 'ELIFECYCLE' }])
    expect(log).toContain('gyp could not build it')
    expect(inside(home)).toEqual([])
  })

  test.each([
    ['another version answers', 'codex-cli 0.170.9'],
    ['a later build of it answers', 'codex-cli 0.171.0-beta.1'],
    ['another product answers', 'something else 0.171.0'],
  ])('where %s', async (_title, says) => {
    const home = house({ says })
    const { state, failure } = await home.install()
    expect([state, failure?.code]).toEqual(['failed', 'install.unconfirmed'])
    expect(inside(home)).toEqual([])
    expect(home.agents.cards[0]?.readiness).toBe('notInstalled')
  })

  test('where it is cancelled, with every process of it, though they ignore the first signal', async () => {
    const home = house({ install: 'hangs' })
    const taskId = home.installs.start('codex')
    await home.shown(({ log }) => log.includes('npm hangs now'))
    const pid = home.calls.at(-1)?.pid ?? 0
    expect(isAlive(pid)).toBe(true)
    await home.installs.cancel(taskId)
    expect(home.now).toMatchObject({ state: 'cancelled', failure: null })
    expect(home.states.slice(-2)).toEqual(['clearing', 'cancelled'])
    expect([isAlive(pid), home.processes.live.length]).toEqual([false, 0])
    expect(inside(home)).toEqual([])
  })

  test('also what an installation left that Parley did not survive', async () => {
    const home = house()
    mkdirSync(join(home.agentsFolder, '.installing', 'prefix'), { recursive: true })
    writeFileSync(join(home.agentsFolder, '.installing', 'prefix', 'half'), '')
    await home.install()
    expect(inside(home)).toEqual(['codex'])
  })
})

describe('one at a time', () => {
  test('a second one is refused from the very start of the first', async () => {
    const home = house()
    home.installs.start('codex')
    expect(() => home.installs.start('codex')).toThrow(expect.objectContaining({ code: 'install.busy' }))
    await home.installs.settled()
    expect(commandsOf(home)).toEqual(['view', 'pack', 'install'])
  })

  test('it can be cancelled before anything has begun', async () => {
    const home = house()
    await home.installs.cancel(home.installs.start('codex'))
    expect(home.now.state).toBe('cancelled')
    expect(commandsOf(home)).toEqual([])
  })

  test('the word to cancel another one is refused', async () => {
    const home = house({ viewHangs: true })
    home.installs.start('codex')
    await expect(home.installs.cancel('install_0')).rejects.toMatchObject({ code: 'install.unknown-task' })
    await home.installs.end()
    expect(home.now.state).toBe('cancelled')
    await expect(home.installs.cancel('install_1')).rejects.toMatchObject({ code: 'install.unknown-task' })
  })

  test('closing cancels it, and nothing begins after that', async () => {
    const home = house({ viewHangs: true })
    home.installs.start('codex')
    await home.shown(({ state }) => state === 'verifying')
    await home.installs.end()
    expect([home.now.state, home.processes.live.length]).toEqual(['cancelled', 0])
    expect(() => home.installs.start('codex')).toThrow(expect.objectContaining({ code: 'app.shutting-down' }))
  })

  test('one that closing cut off is told by the next start, and can be begun again or let be', async () => {
    const home = house({ viewHangs: true })
    const taskId = home.installs.start('codex')
    await home.shown(({ state }) => state === 'verifying')
    await home.installs.end()
    expect(home.begun).toMatchObject({ agent: 'codex', taskId })
    const recalled = () => {
      const next = house()
      next.begun = home.begun
      next.installs.recall()
      expect([next.now.state, next.now.taskId, next.installs.goingOn]).toEqual(['interrupted', taskId, null])
      return next
    }
    const again = recalled()
    expect((await again.install()).state).toBe('installed')
    const letBe = recalled()
    await letBe.installs.cancel(taskId)
    expect([again.begun, letBe.begun]).toEqual([null, null])
  })

  test('after a failure it can be tried again', async () => {
    const home = house({ view: 'nothing' })
    await home.install()
    const again = await home.install()
    expect([again.taskId, again.state]).toEqual(['install_2', 'failed'])
  })
})

test('what can be installed is offered with package, version and place', () => {
  const home = house()
  expect(home.installs.offers).toEqual([
    { agent: 'codex', package: '@openai/codex', version: '0.171.0', scripts: false, folder: home.agentsFolder },
  ])
  expect(house({}, { system: 'sunos-x64' }).installs.offers).toEqual([])
})
