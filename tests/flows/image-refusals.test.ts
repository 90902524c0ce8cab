import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import type { AgentId } from '../../shared/agent.ts'
import { FakeAdapter, type Script } from '../fakes/fake-adapter.ts'
import type { TestOffice } from '../fakes/office.ts'
import { addImage, isPicture, picture } from '../fakes/office-images.ts'
import { mute, openOffices } from '../fakes/open-offices.ts'
import { gifOf, jpegOf, pngClaiming, pngOf } from '../fakes/small-images.ts'

const offices = openOffices()
const bold = 'rehearsal:bold'
const once = { rounds: 1, blindFirst: false }
const says: Script = ({ say }) => say('I see.')

const viewOf = (office: TestOffice, conversationId: string) =>
  office.handlers['conversation.open']({ conversationId, before: null })

const filesOf = ({ folder }: TestOffice) => {
  const images = join(folder, 'images')
  return existsSync(images) ? readdirSync(images).map((name) => join(images, name)) : []
}

const idsOf = (images: readonly { imageId: string }[]) => images.map(({ imageId }) => imageId)

/** One agent that takes four images, one that takes one, and one that takes none. */
const unequal = async () => {
  const adapters = [
    new FakeAdapter(says, { kind: 'codex' }),
    new FakeAdapter(says, { kind: 'claude', imagesMax: 1 }),
    new FakeAdapter(says, { kind: 'gemini', imagesMax: 0 }),
  ]
  const office = await offices.openFolder(mkdtempSync(join(tmpdir(), 'parley-office-')), adapters)
  const members: AgentId[] = ['codex', 'claude', 'gemini']
  return { office, adapters, conversationId: await office.group({ members, settings: once }) }
}

describe('what is no image, or not the one it says, is refused when it is added', () => {
  test.each([
    ['a JPEG called .png', 'photo.png', jpegOf(3, 2), 'image.mismatch'],
    ['a PDF as an image', 'scan.png', Buffer.from('%PDF-1.7'), 'image.unsupported'],
    ['a BMP', 'photo.bmp', Buffer.from(`BM${' '.repeat(60)}`), 'image.unsupported'],
    ['nothing at all', 'photo.png', Buffer.alloc(0), 'image.empty'],
    ['20,000 pixels by 20,000', 'photo.png', pngClaiming(20_000, 20_000), 'image.too-wide'],
    ['a PNG that was cut off', 'photo.png', pngOf(30, 20).subarray(0, 50), 'image.broken'],
    ['a GIF without its end', 'photo.gif', gifOf(30, 20).subarray(0, -1), 'image.broken'],
    ['more bytes than are taken', 'photo.png', Buffer.concat([picture(), Buffer.alloc(3.7e6)]), 'image.too-large'],
  ])('%s', async (_what, name, content, code) => {
    const { office, adapter } = await offices.open(says)
    const conversationId = await office.chat()
    await expect(addImage(office, conversationId, content, name)).rejects.toMatchObject({ code })
    expect([filesOf(office), (await viewOf(office, conversationId)).draftImages]).toEqual([[], []])
    // and the conversation goes on
    expect(await office.runEnds(await office.send(conversationId, 'Go?'))).toBe('completed')
    expect(adapter.opened.map(({ images }) => images)).toEqual([[[]]])
  })

  test.each(['%%%%', 'abc', 'ab=c', '====', 'YWJj YWJj'])('%j, which is no base64', async (dataBase64) => {
    const { office } = await offices.open(says)
    const conversationId = await office.chat()
    await expect(
      office.handlers['image.add']({ conversationId, name: 'a.png', type: '', dataBase64 }),
    ).rejects.toMatchObject({ code: 'ipc.bad-input' })
  })
})

describe('images that not everyone takes', () => {
  test('are refused before anything starts, with the names of those, and the draft stays whole', async () => {
    const { office, adapters, conversationId } = await unequal()
    const images = [await addImage(office, conversationId), await addImage(office, conversationId, picture(2))]
    await office.handlers['draft.save']({ conversationId, text: 'What?' })
    await expect(office.send(conversationId, 'What?', { images })).rejects.toMatchObject({
      code: 'image.not-taken', params: { agents: 'Claude, Gemini', images: 2, max: 0 },
    })
    const view = await viewOf(office, conversationId)
    expect([view.runs, view.queue, view.draft, idsOf(view.draftImages)]).toEqual([[], [], 'What?', images])
    expect(adapters.flatMap(({ opened }) => opened)).toEqual([])
  })

  test('go to those who do, once nobody else is asked', async () => {
    const { office, adapters, conversationId } = await unequal()
    const images = [await addImage(office, conversationId)]
    const runId = await office.send(conversationId, 'What?', { images, targets: ['codex', 'claude'] })
    expect(await office.runEnds(runId)).toBe('completed')
    expect(adapters.map(({ opened }) => opened.map((one) => one.images[0]?.length))).toEqual([[1], [1], []])
  })

  test('are refused for an agent that would take over a seat, in a run and after it', async () => {
    const adapters = [
      new FakeAdapter(({ hang }) => hang(), { kind: 'codex' }),
      new FakeAdapter(says, { kind: 'claude' }),
      new FakeAdapter(says, { kind: 'gemini', imagesMax: 0 }),
    ]
    const office = await offices.openFolder(mkdtempSync(join(tmpdir(), 'parley-office-')), adapters)
    const conversationId = await office.group({ members: ['codex', 'claude'], settings: once })
    const runId = await office.send(conversationId, 'What?', { images: [await addImage(office, conversationId)] })
    const { attemptId } = await office.turn(runId, 'codex', 'streaming')
    await expect(office.handlers['attempt.replace']({ runId, attemptId, agent: 'gemini' })).rejects.toMatchObject({
      code: 'image.not-taken', params: { agents: 'Gemini' },
    })
    await office.handlers['run.stop']({ runId })
    await office.runEnds(runId)
    await expect(
      office.handlers['run.followUp']({ runId, seats: null, replace: { codex: 'gemini' } }),
    ).rejects.toMatchObject({ code: 'image.not-taken' })
  })
})

test('a message that cannot begin leaves its draft and both images, and nothing half recorded', async () => {
  const { office } = await offices.open(says)
  const workdir = join(office.folder, 'project')
  mkdirSync(workdir)
  const conversationId = await office.chat(bold, { workdir })
  const images = [await addImage(office, conversationId), await addImage(office, conversationId, picture(2))]
  await office.handlers['draft.save']({ conversationId, text: 'Go?' })
  rmSync(workdir, { recursive: true })
  await expect(office.send(conversationId, 'Go?', { images })).rejects.toMatchObject({ code: 'workdir.missing' })
  const view = await viewOf(office, conversationId)
  expect([view.runs, view.queue, view.draft, idsOf(view.draftImages)]).toEqual([[], [], 'Go?', images])
})

test('a copy that was changed on the disk is refused before the run, and in the run before the agent', async () => {
  const { office } = await offices.open(({ say, request }) => {
    say('I see.')
    if (request.agent === bold) writeFileSync(filesOf(office)[0] ?? '', 'changed')
  })
  const conversationId = await office.group({ members: [bold, 'rehearsal:careful'], settings: once })
  const images = [await addImage(office, conversationId)]
  const runId = await office.send(conversationId, 'What?', { images })
  expect(await office.runEnds(runId)).toBe('partial')
  expect((await office.turn(runId, 'rehearsal:careful', 'failed')).failure?.code).toBe('image.damaged')
  await expect(office.handlers['run.followUp']({ runId, seats: null, replace: {} })).rejects.toMatchObject({
    code: 'image.damaged',
  })
  expect((await viewOf(office, conversationId)).runs).toHaveLength(1)
})

test('an image cannot be taken off while its message is being sent, nor after, nor sent twice', async () => {
  const { office } = await offices.open(says)
  const conversationId = await office.chat()
  const imageId = await addImage(office, conversationId)
  const sending = office.send(conversationId, 'What?', { images: [imageId] })
  const remove = () => office.handlers['image.remove']({ conversationId, imageId })
  await expect(remove()).rejects.toMatchObject({ code: 'conversation.busy' })
  await office.runEnds(await sending)
  await expect(remove()).rejects.toMatchObject({ code: 'image.in-use' })
  await expect(office.send(conversationId, 'Again', { images: [imageId] })).rejects.toMatchObject({
    code: 'image.unknown',
  })
})

test('a queued message keeps its images, and takes them along when its turn comes', async () => {
  const held = Promise.withResolvers<void>()
  const { office, adapter } = await offices.open(async ({ prompt, say }) => {
    if (prompt.startsWith('First')) await held.promise
    say('I see.')
  })
  const conversationId = await office.chat()
  const first = await office.send(conversationId, 'First')
  const images = [await addImage(office, conversationId)]
  const message = { conversationId, targets: null, settings: null, unlimitedConfirmed: false }
  await office.handlers['message.send']({ ...message, text: 'Second', images })
  const waiting = await viewOf(office, conversationId)
  expect([waiting.queue.map((queued) => idsOf(queued.images)), waiting.draftImages]).toEqual([[images], []])
  held.resolve()
  await office.runEnds(first)
  const view = await office.until(async () => {
    const now = await viewOf(office, conversationId)
    return now.runs.length === 2 && now.runs.every(({ run }) => run.status === 'completed') && now
  })
  expect([view.queue, idsOf(view.runs[1]?.images ?? []), adapter.opened[1]?.images[0]?.length]).toEqual([[], images, 1])
})

test('drafts, queued and sent messages have their images after a crash, and those of what was sent go on', async () => {
  const { office } = await offices.open(({ hang }) => hang())
  const conversationId = await office.chat()
  const [sent, queued, kept] = [
    await addImage(office, conversationId),
    await addImage(office, conversationId, picture(2)),
    await addImage(office, conversationId, picture(3)),
  ]
  const runId = await office.send(conversationId, 'First', { images: [sent] })
  await office.turn(runId, bold, 'streaming')
  const message = { conversationId, targets: null, settings: null, unlimitedConfirmed: false }
  await office.handlers['message.send']({ ...message, text: 'Second', images: [queued] })
  const later = new FakeAdapter(says)
  const next = await offices.afterACrash(office, [later])
  const view = await viewOf(next, conversationId)
  expect([view.runs.map(({ images }) => idsOf(images)), view.queue.map(({ images }) => idsOf(images)),
    idsOf(view.draftImages)]).toEqual([[[sent]], [[queued]], [kept]])
  const { dataUrl } = await next.handlers['image.read']({ imageId: sent })
  expect(dataUrl).toBe(`data:image/png;base64,${picture().toString('base64')}`)
  const { runId: followed } = await next.handlers['run.followUp']({ runId, seats: null, replace: {} })
  await next.runEnds(followed)
  const given = later.opened[0]?.images[0] ?? []
  expect(given.map(({ file }) => [file.startsWith(next.folder), isPicture(readFileSync(file))])).toEqual([[true, true]])
})

test('deleting a conversation leaves no byte of its images, and those of others as they are', async () => {
  const { office } = await offices.open(says)
  const [gone, kept] = [await office.chat(), await office.chat()]
  const marked = (word: string) => Buffer.concat([picture(), Buffer.from(word)])
  const sent = await addImage(office, gone, marked('zanzibarquartz sent'))
  await addImage(office, gone, marked('zanzibarquartz draft'))
  await addImage(office, gone, marked('shared'))
  const other = await addImage(office, kept, marked('shared'))
  await office.runEnds(await office.send(gone, 'What?', { images: [sent] }))
  await office.handlers['conversation.delete']({ conversationId: gone })
  expect(filesOf(office)).toHaveLength(1)
  await expect(office.handlers['image.read']({ imageId: sent })).rejects.toMatchObject({ code: 'image.unknown' })
  const { dataUrl } = await office.handlers['image.read']({ imageId: other })
  expect(Buffer.from(dataUrl.split(',')[1] ?? '', 'base64').equals(marked('shared'))).toBe(true)
  await office.quit()
  const all = readdirSync(office.folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const holding = all.filter((entry) => readFileSync(join(entry.parentPath, entry.name)).includes('zanzibarquartz'))
  expect(holding.map(({ name }) => name)).toEqual([])
})

test('where the store can only be looked at images are shown, and neither added nor removed', async () => {
  const { office } = await offices.open(says)
  const conversationId = await office.chat()
  const imageId = await addImage(office, conversationId)
  await office.quit()
  const database = new DatabaseSync(join(office.folder, 'parley.db'))
  database.exec('pragma user_version = 9999')
  database.close()
  const looking = await offices.openFolder(office.folder, [mute()])
  expect((await looking.handlers['image.read']({ imageId })).dataUrl).toMatch(/^data:image\/png;base64,/)
  const refused = { code: 'app.read-only' }
  await expect(addImage(looking, conversationId)).rejects.toMatchObject(refused)
  await expect(looking.handlers['image.remove']({ conversationId, imageId })).rejects.toMatchObject(refused)
  expect(filesOf(looking)).toHaveLength(1)
})
