import { expect, test } from 'vitest'
import type { Notice } from '../../shared/notice.ts'
import { FakeAdapter, failing, type Script } from '../fakes/fake-adapter.ts'
import { TestOffice } from '../fakes/office.ts'
import { openOffices } from '../fakes/open-offices.ts'
import { quietShell } from '../fakes/quiet-shell.ts'

const offices = openOffices()

/** An office whose shell notes what it is to tell. */
const telling = async (script: Script, folder?: string) => {
  const told: Notice[] = []
  const shell = { ...quietShell, notify: (notice: Notice) => void told.push(notice) }
  const office = await offices.keepOpen(new TestOffice([new FakeAdapter(script)], folder, { shell }))
  return { office, told }
}

const asks: Script = async ({ ask, say }) => {
  await ask('run a command', 'npm test')
  say('Done.')
}

test('a run is told of once, when it has ended, however many spoke and however often the page is read', async () => {
  const { office, told } = await telling(({ say, vote }) => {
    say('So be it.')
    vote('agree', 'Yes')
  })
  expect(await office.runEnds(await office.send(await office.group(), 'Go?'))).toBe('agreed')
  for (let reload = 0; reload < 3; reload += 1) await office.handlers['app.snapshot']({})
  expect(told).toEqual(['done'])
  await office.quit()
  expect((await telling(({ say }) => say('Here.'), office.folder)).told).toEqual([])
})

test('one that failed is told as failed, and one that its person stopped is not told', async () => {
  const { office, told } = await telling(({ prompt, hang }) =>
    prompt.includes('Wait') ? hang() : failing('agent.unauthorized'))
  const conversationId = await office.chat()
  expect(await office.runEnds(await office.send(conversationId, 'Go?'))).toBe('failed')
  const runId = await office.send(conversationId, 'Wait.')
  await office.handlers['run.stop']({ runId })
  await office.runEnds(runId)
  expect(told).toEqual(['failed'])
})

test('a gate is told of once, when it opens, also across a crash', async () => {
  const { office, told } = await telling(asks)
  await office.send(await office.chat(), 'Go?')
  await office.gate()
  expect(told).toEqual(['needsYou'])
  const after = await telling(asks, offices.keep(office))
  expect((await after.office.handlers['gate.list']({})).gates).toHaveLength(1)
  expect(after.told).toEqual([])
})

test('who does not want it is told nothing', async () => {
  const { office, told } = await telling(({ say }) => say('Here.'))
  await office.handlers['settings.save']({ patch: { notifications: false } })
  await office.runEnds(await office.send(await office.chat(), 'Go?'))
  expect(told).toEqual([])
})
