import { readdirSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { CustomAgentWish } from '../../shared/custom-agent.ts'
import { AppError } from '../../shared/errors.ts'
import type { TestOffice } from '../fakes/office.ts'
import { openOffices } from '../fakes/open-offices.ts'

const offices = openOffices()
const openOffice = async () => (await offices.open(({ say }) => say('Fine.'))).office

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const oneShotProgram = here('../fakes/one-shot-program.ts')
const acpProgram = here('../adapters/acp-fake.ts')

const wish = (more: Partial<CustomAgentWish> = {}): CustomAgentWish => ({
  agent: null,
  name: 'my-tool',
  file: process.execPath,
  args: [oneShotProgram, 'echo'],
  envNames: [],
  speech: { transport: 'one-shot', output: { format: 'text' } },
  ...more,
})
const acpWish = (scenario: string, readOnly: string | null = 'plan'): CustomAgentWish =>
  wish({ args: [acpProgram, scenario], speech: { transport: 'acp', modes: { readOnly, write: 'edit' } } })

const cardOf = async (office: TestOffice) =>
  (await office.handlers['app.snapshot']({})).agents.find(({ agent }) => agent === 'custom:my-tool')

const codeOf = (error: unknown) => (error instanceof AppError ? error.code : error)

test('one that speaks ACP answers in a chat, is stopped there, is held by it, and goes', async () => {
  const office = await openOffice()
  const { handlers } = office
  await handlers['custom.save'](acpWish('report'))
  expect(await cardOf(office)).toMatchObject({ kind: 'custom', name: 'My tool', readiness: 'installed' })
  const conversationId = await office.chat('custom:my-tool')
  const runId = await office.send(conversationId, 'What have you been told?')
  expect(await office.runEnds(runId)).toBe('completed')
  const turn = await office.turn(runId, 'custom:my-tool', 'completed')
  expect(turn.text).toContain('"modeId":"plan"')
  expect(turn.text).toContain('What have you been told?')
  expect(office.stores.launches.all()).toHaveLength(1)

  await handlers['custom.save']({ ...acpWish('silent'), agent: 'custom:my-tool' })
  const second = await office.send(conversationId, 'Go on?')
  await office.turn(second, 'custom:my-tool', 'streaming', 'settling')
  await handlers['run.stop']({ runId: second })
  expect(await office.runEnds(second)).toBe('stopped')

  await expect(handlers['custom.remove']({ agent: 'custom:my-tool' })).rejects.toMatchObject({
    code: 'custom.in-use', params: { conversations: 1 },
  })
  const other = await office.chat('custom:my-tool')
  await handlers['custom.save']({ ...acpWish('report'), agent: 'custom:my-tool' })
  for (const each of [conversationId, other]) {
    expect(await office.runEnds(await office.send(each, 'Here?'))).toBe('completed')
  }
  const kept = () => office.stores.launches.all().length
  expect(kept()).toBe(2)
  await handlers['conversation.delete']({ conversationId })
  await expect.poll(kept).toBe(1)
  await handlers['conversation.delete']({ conversationId: other })
  await expect.poll(kept).toBe(0)
  await handlers['custom.remove']({ agent: 'custom:my-tool' })
  expect(await cardOf(office)).toBeUndefined()
  expect(await handlers['custom.list']({})).toEqual({ agents: [] })
  await expect(office.chat('custom:my-tool', { allowWrite: true })).resolves.toBeTypeOf('string')
  await expect(handlers['custom.remove']({ agent: 'custom:my-tool' })).rejects.toMatchObject({ code: 'custom.unknown' })
})

test('one that cannot be held to reading is refused by name before anything starts, wherever it is asked', async () => {
  const office = await openOffice()
  const { handlers } = office
  await handlers['custom.save'](wish())
  const refused = { code: 'agent.not-held', params: { agent: 'My tool' } }
  await expect(office.chat('custom:my-tool')).rejects.toMatchObject(refused)

  const conversationId = await office.chat('custom:my-tool', { allowWrite: true })
  await expect(handlers['conversation.update']({ conversationId, allowWrite: false })).rejects.toMatchObject(refused)
  await expect(office.group({ members: ['rehearsal:bold', 'custom:my-tool'] })).rejects.toMatchObject(refused)

  const group = await office.group()
  await expect(
    handlers['conversation.update']({ conversationId: group, members: ['rehearsal:bold', 'custom:my-tool'] }),
  ).rejects.toMatchObject(refused)
  const runId = await office.send(group, 'Go?', { settings: { rounds: 1, blindFirst: false } })
  await office.runEnds(runId)
  await expect(
    handlers['run.followUp']({ runId, seats: null, replace: { 'rehearsal:bold': 'custom:my-tool' } }),
  ).rejects.toMatchObject(refused)
  const { attemptId } = await office.turn(runId, 'rehearsal:bold', 'completed')
  await expect(
    handlers['attempt.replace']({ runId, attemptId, agent: 'custom:my-tool' }),
  ).rejects.toMatchObject(refused)
  const { runs } = await handlers['conversation.open']({ conversationId: group, before: null })
  expect(runs).toHaveLength(1)
})

test('one whose way of being held was taken away is refused when it is spoken to', async () => {
  const office = await openOffice()
  await office.handlers['custom.save'](acpWish('report'))
  const conversationId = await office.chat('custom:my-tool')
  await office.handlers['custom.save']({ ...acpWish('report', null), agent: 'custom:my-tool' })
  await expect(office.send(conversationId, 'Go?')).rejects.toMatchObject({ code: 'agent.not-held' })
  const { runs } = await office.handlers['conversation.open']({ conversationId, before: null })
  expect(runs).toEqual([])
})

test('one that prints its answer gets the whole task on stdin and is there again after a restart', async () => {
  const office = await openOffice()
  await office.handlers['custom.save'](wish())
  const conversationId = await office.chat('custom:my-tool', { allowWrite: true })
  const runId = await office.send(conversationId, 'Say "$HOME" and `id`.')
  expect(await office.runEnds(runId)).toBe('completed')
  expect((await office.turn(runId, 'custom:my-tool', 'completed')).text).toContain('Say "$HOME" and `id`.')
  await office.quit()

  const next = await office.next()
  const again = await next.send(conversationId, 'And now?')
  expect(await next.runEnds(again)).toBe('completed')
  await next.quit()
})

test('is shown where the record is only looked at, and cannot be changed there', async () => {
  const office = await openOffice()
  await office.handlers['custom.save'](wish())
  const beside = await office.next()
  expect(await cardOf(beside)).toMatchObject({ agent: 'custom:my-tool' })
  expect((await beside.handlers['custom.list']({})).agents).toHaveLength(1)
  await expect(beside.handlers['custom.save'](wish())).rejects.toMatchObject({ code: 'app.read-only' })
  await expect(beside.handlers['custom.remove']({ agent: 'custom:my-tool' })).rejects.toMatchObject({
    code: 'app.read-only',
  })
  await beside.quit()
})

test('keeps what a change does not name, and the window never has it', async () => {
  const office = await openOffice()
  const first = await office.handlers['custom.save'](wish({ envNames: ['MY_KEY'] }))
  const changed = await office.handlers['custom.save']({
    ...wish({ agent: 'custom:my-tool', file: null, args: null, envNames: null }),
    speech: { transport: 'one-shot', output: { format: 'object', answerField: 'text', errorField: null } },
  })
  expect(changed.saved).toMatchObject({ program: first.saved.program, argCount: 2, variableCount: 1 })
  const heard = JSON.stringify([office.pushes, await office.handlers['app.snapshot']({}), first, changed])
  expect(heard).not.toContain(oneShotProgram)
  expect(heard).not.toContain('MY_KEY')
  const kept = office.stores.customAgents.get('custom:my-tool')
  expect(kept).toMatchObject({ args: [oneShotProgram, 'echo'], envNames: ['MY_KEY'] })
})

test('is refused for what cannot be one, and nothing is kept', async () => {
  const office = await openOffice()
  const save = (more: Partial<CustomAgentWish>) =>
    office.handlers['custom.save'](wish(more)).then(() => 'saved', codeOf)
  expect(
    await Promise.all([
      save({ file: '/nowhere/at/all' }),
      save({ file: tmpdir() }),
      save({ file: 'node' }),
      save({ args: ['--token', 'x'] }),
      save({ file: '/bin/sh', args: ['-c', 'id'] }),
      save({ name: 'My Tool' }),
      save({ envNames: ['NODE_OPTIONS'] }),
      save({ agent: 'custom:other' }),
    ]),
  ).toEqual([
    'custom.file-unusable', 'custom.file-unusable', 'custom.file-unusable', 'custom.argument-secret',
    'custom.shell-script', 'custom.name-bad', 'custom.variable-bad', 'custom.unknown',
  ])
  expect(await office.handlers['custom.list']({})).toEqual({ agents: [] })
  expect(await save({})).toBe('saved')
  expect(await Promise.all([save({}), save({ agent: 'custom:my-tool', name: 'another' })])).toEqual([
    'custom.name-taken', 'custom.name-bad',
  ])
})

test('whose stored definition was tampered with is no agent, and the others are', async () => {
  const office = await openOffice()
  await office.handlers['custom.save'](wish())
  await office.handlers['custom.save'](wish({ name: 'other' }))
  await office.quit()
  const database = new DatabaseSync(join(office.folder, databaseIn(office.folder)))
  database.exec(`update custom_agents set record = json_set(record, '$.file', '/bin/sh', '$.args', json('["-c","id"]'))
    where agent = 'custom:my-tool'`)
  database.close()
  const next = await office.next()
  expect((await next.handlers['custom.list']({})).agents.map(({ name }) => name)).toEqual(['other'])
  expect(await cardOf(next)).toBeUndefined()
  await next.handlers['custom.remove']({ agent: 'custom:my-tool' })
  await next.quit()
})

const databaseIn = (folder: string) => readdirSync(folder).find((name) => name.endsWith('.db')) ?? ''
