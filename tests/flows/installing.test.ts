import { afterEach, expect, test } from 'vitest'
import type { Detection } from '../../adapters/ports.ts'
import type { InstallView } from '../../shared/install.ts'
import { FakeAdapter } from '../fakes/fake-adapter.ts'
import { TestOffice } from '../fakes/office.ts'

const offices: TestOffice[] = []
const open = async (adapter: FakeAdapter) => {
  const office = new TestOffice([adapter])
  offices.push(office)
  await office.start()
  return office
}

afterEach(async () => {
  for (const office of offices.splice(0)) {
    await office.quit()
    office.remove()
  }
})

const codex = () => new FakeAdapter(() => undefined, { kind: 'codex' })

/** Looks for itself until the one who asked has lost interest. */
class EndlessCodex extends FakeAdapter {
  override detect(signal?: AbortSignal): Promise<Detection> {
    return new Promise((_, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('nobody waits any more')))
    })
  }
}

const shown = (office: TestOffice) =>
  office.pushes.flatMap(({ topic, body }) =>
    topic === 'install.changed' ? [(body as { install: InstallView }).install] : [],
  )

test('the window asks what can be installed, and gets the agents that this Parley speaks with', async () => {
  const office = await open(codex())
  const { install, recipes } = await office.handlers['install.view']({})
  expect(install).toBeNull()
  expect(recipes.map(({ agent, package: name }) => [agent, name])).toEqual([['codex', '@openai/codex']])
  expect(recipes[0]?.folder).toBe(`${office.folder}-agents`)
})

test('an agent that is there already is refused, which is shown with its reason', async () => {
  const office = await open(codex())
  const { taskId } = await office.handlers['install.start']({ agent: 'codex' })
  const ended = await office.until(async () => shown(office).find(({ endedAt }) => endedAt !== null))
  expect(ended).toMatchObject({ taskId, state: 'failed', failure: { code: 'install.already-installed' } })
  expect((await office.handlers['install.view']({})).install).toEqual(ended)
})

test.each(['hermes', 'gemini'] as const)('%s, which this Parley cannot install, is refused at once', async (agent) => {
  const office = await open(codex())
  await expect(office.handlers['install.start']({ agent })).rejects.toMatchObject({ code: 'install.unknown-agent' })
  expect(shown(office)).toEqual([])
})

test('it is cancelled from the window, and another one can begin', async () => {
  const office = await open(new EndlessCodex(() => undefined, { kind: 'codex' }))
  const { taskId } = await office.handlers['install.start']({ agent: 'codex' })
  await office.handlers['install.cancel']({ taskId })
  expect((await office.handlers['install.view']({})).install?.state).toBe('cancelled')
  const again = await office.handlers['install.start']({ agent: 'codex' })
  expect(again.taskId).not.toBe(taskId)
})

test('closing cancels what is being installed', async () => {
  const office = await open(new EndlessCodex(() => undefined, { kind: 'codex' }))
  await office.handlers['install.start']({ agent: 'codex' })
  await office.quit()
  expect(shown(office).map(({ state }) => state)).toEqual(['checking', 'clearing', 'cancelled'])
})
