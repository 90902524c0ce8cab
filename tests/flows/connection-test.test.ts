import { expect, test } from 'vitest'
import { FakeAdapter } from '../fakes/fake-adapter.ts'
import { TestOffice } from '../fakes/office.ts'

test('a test of an agent answers, and its card says so to the window', async () => {
  const adapter = new FakeAdapter(({ say }) => say('ready'), { kind: 'codex' })
  const office = new TestOffice([adapter])
  await office.start()
  await office.handlers['agents.scan']({})
  expect(await office.handlers['agents.test']({ agent: 'codex' })).toMatchObject({ ok: true, failure: null })
  const { agents } = await office.handlers['app.snapshot']({})
  expect(agents).toMatchObject([{ agent: 'codex', readiness: 'recentlyVerified' }])
  expect(office.pushes.findLast(({ topic }) => topic === 'agents.changed')?.body).toEqual({ agents })
  await office.quit()
  office.remove()
})

test('nothing is started by a test while nothing may be written', async () => {
  const adapter = new FakeAdapter(({ say }) => say('ready'), { kind: 'codex' })
  const office = new TestOffice([adapter])
  await office.start()
  const second = new TestOffice([adapter], office.folder)
  await second.start()
  await expect(second.handlers['agents.test']({ agent: 'codex' })).rejects.toMatchObject({ code: 'app.read-only' })
  expect(adapter.opened).toEqual([])
  await second.quit()
  await office.quit()
  office.remove()
})
