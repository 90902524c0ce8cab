import { mkdirSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { AppError } from '../../shared/errors.ts'
import type { Script } from '../fakes/fake-adapter.ts'
import type { TestOffice } from '../fakes/office.ts'
import { openOffices } from '../fakes/open-offices.ts'

const offices = openOffices()
const openOffice = (script: Script = ({ say }) => say('Fine.')) => offices.open(script)

const codeOf = (error: unknown) => (error instanceof AppError ? error.code : error)

const nothingWasRecorded = async (office: TestOffice, conversationId: string) => {
  const { runs, queue } = await office.handlers['conversation.open']({ conversationId, before: null })
  expect([runs, queue]).toEqual([[], []])
}

test.each([
  ['an empty message', { text: '  \n ' }, 'message.empty'],
  ['a target outside the group', { targets: ['codex'] }, 'message.target-outside'],
  ['the same target twice', { targets: ['rehearsal:bold', 'rehearsal:bold'] }, 'message.target-outside'],
  ['a discussion with one', { targets: ['rehearsal:bold'] }, 'message.too-few-targets'],
  [
    'rounds without a limit that nobody confirmed',
    { settings: { rounds: null, blindFirst: false } },
    'message.unlimited-unconfirmed',
  ],
] as const)('%s is refused, and nothing is recorded', async (_name, more, code) => {
  const { office, adapter } = await openOffice()
  const conversationId = await office.group()
  const { text, ...rest } = { text: 'Go?', ...more }
  await expect(office.send(conversationId, text, rest as never)).rejects.toMatchObject({ code })
  await nothingWasRecorded(office, conversationId)
  expect(adapter.opened).toEqual([])
})

test('a working directory that went away refuses the send, and the draft stays', async () => {
  const { office } = await openOffice()
  const workdir = join(office.folder, 'project')
  mkdirSync(workdir)
  const conversationId = await office.group({ workdir })
  await office.handlers['draft.save']({ conversationId, text: 'Go?' })
  rmSync(workdir, { recursive: true })
  await expect(office.send(conversationId, 'Go?')).rejects.toMatchObject({ code: 'workdir.missing' })
  await nothingWasRecorded(office, conversationId)
  expect(await office.handlers['conversation.open']({ conversationId, before: null })).toMatchObject({ draft: 'Go?' })
})

test('unknown ids are told apart, each with its own code', async () => {
  const { office } = await openOffice()
  const { handlers } = office
  const refusals = await Promise.all([
    handlers['conversation.open']({ conversationId: 'conversation_none', before: null }).catch(codeOf),
    handlers['run.open']({ runId: 'run_none' }).catch(codeOf),
    handlers['attempt.open']({ attemptId: 'run_none/1/x/1' }).catch(codeOf),
    handlers['delivery.open']({ deliveryId: 'delivery/none' }).catch(codeOf),
    handlers['queue.withdraw']({ conversationId: await office.group(), queuedId: 'queued_none' }).catch(codeOf),
    office.send('conversation_none', 'Go?').catch(codeOf),
  ])
  expect(refusals).toEqual([
    'conversation.unknown',
    'run.unknown',
    'attempt.unknown',
    'delivery.unknown',
    'queue.unknown',
    'conversation.unknown',
  ])
})

test('a group needs two different agents, a chat exactly one, and both a folder that exists', async () => {
  const { office } = await openOffice()
  await expect(office.group({ members: ['rehearsal:bold'] })).rejects.toMatchObject({
    code: 'conversation.too-few-members',
  })
  await expect(office.group({ members: ['rehearsal:bold', 'rehearsal:bold'] })).rejects.toMatchObject({
    code: 'conversation.too-few-members',
  })
  await expect(office.group({ kind: 'direct' })).rejects.toMatchObject({ code: 'conversation.too-few-members' })
  await expect(office.group({ workdir: 'relative/folder' })).rejects.toMatchObject({ code: 'workdir.missing' })
})

test('while a run is active a conversation keeps members and folder, and can be renamed but not deleted', async () => {
  const { office } = await openOffice(({ hang }) => hang())
  const conversationId = await office.group()
  const runId = await office.send(conversationId, 'Go?')
  const { handlers } = office
  const busy = { code: 'conversation.busy' }
  await expect(handlers['conversation.update']({ conversationId, allowWrite: true })).rejects.toMatchObject(busy)
  await expect(
    handlers['conversation.update']({ conversationId, members: ['rehearsal:bold', 'codex'] }),
  ).rejects.toMatchObject(busy)
  await expect(handlers['conversation.delete']({ conversationId })).rejects.toMatchObject(busy)
  await handlers['conversation.rename']({ conversationId, name: 'Another name' })
  await handlers['run.stop']({ runId })
  await office.runEnds(runId)
  await handlers['conversation.update']({ conversationId, allowWrite: true })
  expect(await handlers['conversation.open']({ conversationId, before: null })).toMatchObject({
    conversation: { name: 'Another name', allowWrite: true },
  })
})

test('deleting a conversation leaves nothing of its words in the data folder', async () => {
  const { office } = await openOffice(({ say }) => say('An answer about zanzibarquartz.'))
  const conversationId = await office.group({ settings: { rounds: 1, blindFirst: false } })
  const runId = await office.send(conversationId, 'What about zanzibarquartz?')
  await office.runEnds(runId)
  await office.handlers['draft.save']({ conversationId, text: 'More zanzibarquartz' })
  await office.handlers['conversation.delete']({ conversationId })
  await expect(office.handlers['run.open']({ runId })).rejects.toMatchObject({ code: 'run.unknown' })
  await office.quit()
  const holds = readdirSync(office.folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes('zanzibarquartz'),
  )
  expect(holds.map(({ name }) => name)).toEqual([])
})

test('a chat with one agent goes on in its native session, and takes its name from the first message', async () => {
  const { office, adapter } = await openOffice(({ say }) => say('Yes.'))
  const conversationId = await office.chat()
  for (const text of ['Is it so?', 'And now?'])
    expect(await office.runEnds(await office.send(conversationId, text))).toBe('completed')
  expect(adapter.opened.map(({ request, prompts }) => [request.resume, prompts])).toEqual([
    [null, ['Is it so?']],
    ['native-rehearsal:bold-1', ['And now?']],
  ])
  expect(await office.handlers['conversation.open']({ conversationId, before: null })).toMatchObject({
    conversation: { name: 'Is it so?' },
  })
})

test('once quitting has begun no command is served', async () => {
  const { office } = await openOffice()
  expect(office.composition.mayServe()).toBe(true)
  const quitting = office.quit()
  expect(office.composition.mayServe()).toBe(false)
  await quitting
})

test('a conversation without a chosen folder works in one of Parley’s own, which only its owner can read', async () => {
  const { office, adapter } = await openOffice()
  const conversationId = await office.group({ workdir: null, settings: { rounds: 1, blindFirst: false } })
  await office.runEnds(await office.send(conversationId, 'Where are we?'))
  const [cwd] = new Set(adapter.opened.map(({ request }) => request.cwd))
  expect(cwd).toBe(join(office.folder, 'workspace'))
  expect(statSync(cwd ?? '').mode & 0o777).toBe(0o700)
})
