import {
  chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Database } from '../../../electron/stores/database.ts'
import { sha256Of } from '../../../electron/stores/image-files.ts'
import { openReadOnly } from '../../../electron/stores/look.ts'
import { openStores } from '../../../electron/stores/open.ts'
import type { Stores } from '../../../electron/stores/stores.ts'
import { imagesPerMessageMax } from '../../../shared/limits.ts'
import { pngOf } from '../../fakes/small-images.ts'
import { freshFolder, freshStores, withTask } from './fresh.ts'
import { conversation, run } from './records.ts'

const one = 'conversation-one'

const opened = (folder = freshFolder()) => {
  const stores = freshStores(folder)
  if (!stores.conversations.get(one)) stores.conversations.create(conversation(one))
  return { stores, folder, images: join(folder, 'images') }
}

const picture = (shade = 1) => pngOf(4, 3, () => [shade, 0, 0])

const add = (stores: Stores, imageId: string, content = picture(), conversationId = one) =>
  stores.images.add({
    conversationId,
    note: { imageId, name: `${imageId}.png`, mime: 'image/png', width: 4, height: 3 },
    content,
  })

const queued = (stores: Stores, imageIds: string[]) => ({
  queuedId: 'queued-one', conversationId: one, text: 'Next', images: stores.images.inDraft(one, imageIds),
  targets: ['codex' as const], settings: { rounds: 1, blindFirst: false }, createdAt: 1, refusal: null,
})

const idsOf = (images: readonly { imageId: string }[]) => images.map(({ imageId }) => imageId)
const codeOf = (code: string) => expect.objectContaining({ code })

test('an image of a draft is a private copy under its hash, and reads as it was', () => {
  const { stores, images } = opened()
  const note = add(stores, 'image-a')
  const sha256 = sha256Of(picture())
  expect(note).toEqual({
    imageId: 'image-a', name: 'image-a.png', mime: 'image/png', bytes: picture().length, width: 4, height: 3,
    sha256: sha256.slice(0, 12),
  })
  expect(readdirSync(images)).toEqual([`${sha256}.png`])
  expect([statSync(images).mode & 0o777, statSync(join(images, `${sha256}.png`)).mode & 0o777]).toEqual([0o700, 0o600])
  expect([stores.images.ofDraft(one), stores.images.read('image-a')]).toEqual([
    [note], { content: picture(), mime: 'image/png' },
  ])
  expect(stores.images.sound(['image-a'])).toEqual([{ file: join(images, `${sha256}.png`), mime: 'image/png' }])
})

test('the same content is kept once, and goes with the last who uses it', () => {
  const { stores, images } = opened()
  stores.conversations.create(conversation('conversation-two'))
  add(stores, 'image-a')
  add(stores, 'image-b')
  add(stores, 'image-c', picture(), 'conversation-two')
  const counts = [readdirSync(images).length]
  stores.images.remove(one, 'image-a')
  counts.push(readdirSync(images).length)
  stores.conversations.delete(one)
  counts.push(readdirSync(images).length)
  stores.conversations.delete('conversation-two')
  expect([...counts, readdirSync(images).length]).toEqual([1, 1, 1, 0])
})

test('a draft takes only so many', () => {
  const { stores, images } = opened()
  for (let number = 1; number <= imagesPerMessageMax; number += 1) add(stores, `image-${number}`, picture(number))
  expect(() => add(stores, 'image-more', picture(99))).toThrow(codeOf('image.too-many'))
  expect([readdirSync(images).length, stores.images.ofDraft(one).length]).toEqual([8, 8])
})

test('images go from the draft with a queued message, and with it into the message it becomes, in their order', () => {
  const { stores } = opened()
  for (const id of ['image-a', 'image-b', 'image-c']) add(stores, id, picture(id.charCodeAt(6)))
  stores.drafts.save(one, 'Next', 1)
  stores.enqueue(queued(stores, ['image-c', 'image-a']), 2)
  expect([idsOf(stores.queue.list(one)[0]?.images ?? []), idsOf(stores.images.ofDraft(one))]).toEqual([
    ['image-c', 'image-a'], ['image-b'],
  ])
  stores.queue.edit(one, 'queued-one', 'Next, please')
  const task = run('run-one', one)
  const message = { messageId: task.messageId, conversationId: one, text: task.topic, at: 3 }
  for (let times = 0; times < 2; times += 1) stores.accept({ message, run: task, queuedId: 'queued-one' })
  expect([
    stores.queue.list(one), idsOf(stores.views.run('run-one').images), idsOf(stores.images.ofDraft(one)),
    stores.images.soundOf(task.messageId).length, stores.integrity(),
  ]).toEqual([[], ['image-c', 'image-a'], ['image-b'], 2, []])
})

test('a message takes its images out of the draft, and what is not named stays there', () => {
  const { stores } = opened()
  for (const id of ['image-a', 'image-b']) add(stores, id)
  const task = run('run-one', one)
  stores.accept({
    message: { messageId: task.messageId, conversationId: one, text: task.topic, at: 3 },
    run: task, imageIds: ['image-b'], clearsDraft: true,
  })
  const view = stores.views.conversation(one, null)
  expect([idsOf(view.runs[0]?.images ?? []), idsOf(view.draftImages)]).toEqual([['image-b'], ['image-a']])
})

test('a full queue leaves the draft with its images as it was', () => {
  const { stores } = opened()
  for (let number = 1; number <= 50; number += 1) {
    stores.queue.add({ ...queued(stores, []), queuedId: `queued-${number}` })
  }
  add(stores, 'image-a')
  stores.drafts.save(one, 'Next', 1)
  expect(() => stores.enqueue(queued(stores, ['image-a']), 2)).toThrow(codeOf('queue.full'))
  expect([stores.drafts.get(one), idsOf(stores.images.ofDraft(one))]).toEqual(['Next', ['image-a']])
})

test('a draft gives only what it has, each once', () => {
  const { stores } = opened()
  stores.conversations.create(conversation('conversation-two'))
  add(stores, 'image-a')
  add(stores, 'image-b', picture(), 'conversation-two')
  for (const ids of [['image-b'], ['image-a', 'image-a'], ['image-none']])
    expect(() => stores.images.inDraft(one, ids)).toThrow(codeOf('image.unknown'))
})

test('removing takes the last copy with it, changes nothing twice, and leaves what was sent', () => {
  const { stores, images } = opened()
  add(stores, 'image-a')
  stores.images.remove('conversation-two', 'image-a')
  expect(readdirSync(images)).toHaveLength(1)
  for (let times = 0; times < 2; times += 1) stores.images.remove(one, 'image-a')
  expect(readdirSync(images)).toEqual([])
  add(stores, 'image-b')
  const task = withTask(stores, one, 'run-one')
  stores.images.giveToMessage(task.messageId, ['image-b'])
  expect(() => stores.images.remove(one, 'image-b')).toThrow(codeOf('image.in-use'))
  expect(() => stores.images.read('image-a')).toThrow(codeOf('image.unknown'))
})

test('withdrawing a queued message takes its images with it', () => {
  const { stores, images } = opened()
  add(stores, 'image-a')
  stores.enqueue(queued(stores, ['image-a']), 2)
  stores.queue.withdraw(one, 'queued-one')
  expect([readdirSync(images), stores.images.ofDraft(one), stores.integrity()]).toEqual([[], [], []])
})

describe('a copy that is not the one that was kept is refused at each reading', () => {
  const spoils: [string, (file: string) => void][] = [
    ['missing', (file) => rmSync(file)],
    ['of another content', (file) => writeFileSync(file, pngOf(5, 5))],
    ['cut off', (file) => writeFileSync(file, readFileSync(file).subarray(0, 20))],
    ['open to others', (file) => chmodSync(file, 0o644)],
    ['a link to the same content', (file) => {
      renameSync(file, `${file}.elsewhere`)
      symlinkSync(`${file}.elsewhere`, file)
    }],
    ['a folder', (file) => {
      rmSync(file)
      mkdirSync(file)
    }],
  ]
  test.each(spoils)('%s', (_what, spoil) => {
    const { stores } = opened()
    add(stores, 'image-a')
    spoil(stores.images.sound(['image-a'])[0]?.file ?? '')
    expect(() => stores.images.read('image-a')).toThrow(codeOf('image.damaged'))
    expect(() => stores.images.sound(['image-a'])).toThrow(codeOf('image.damaged'))
  })

  test('and is made good when the same image is added again', () => {
    const { stores } = opened()
    add(stores, 'image-a')
    writeFileSync(stores.images.sound(['image-a'])[0]?.file ?? '', 'another')
    add(stores, 'image-b')
    expect(stores.images.read('image-a').content).toEqual(picture())
  })
})

test('one of a message whose row cannot be read is not passed over', () => {
  const { stores, folder } = opened()
  add(stores, 'image-a')
  const task = withTask(stores, one, 'run-one')
  stores.images.giveToMessage(task.messageId, ['image-a'])
  const database = new Database(join(folder, 'parley.db'), { readOnly: false })
  onTestFinished(() => database.close())
  database.run(`update images set record = '{}'`)
  expect(() => stores.images.soundOf(task.messageId)).toThrow(codeOf('ledger.damaged'))
  expect(stores.views.run('run-one').images).toEqual([])
  stores.conversations.delete(one)
  expect(readdirSync(join(folder, 'images'))).toEqual([])
})

describe('a folder in which images cannot be kept', () => {
  test('refuses the image and nothing else', () => {
    const { stores, images } = opened()
    writeFileSync(images, 'a file where the folder should be')
    expect(() => add(stores, 'image-a')).toThrow(codeOf('image.unkept'))
    stores.drafts.save(one, 'Text goes on', 1)
    expect([stores.images.ofDraft(one), stores.drafts.get(one)]).toEqual([[], 'Text goes on'])
  })

  test('that leads elsewhere is neither written nor emptied', () => {
    const { stores, folder, images } = opened()
    const elsewhere = join(folder, 'elsewhere')
    mkdirSync(elsewhere, { mode: 0o700 })
    writeFileSync(join(elsewhere, `${'a'.repeat(64)}.png`), 'somebody else’s')
    symlinkSync(elsewhere, images)
    expect(() => add(stores, 'image-a')).toThrow(codeOf('image.unkept'))
    stores.close()
    openStores(folder).close()
    expect(readdirSync(elsewhere)).toEqual([`${'a'.repeat(64)}.png`])
  })

  test('leaves nothing half written', () => {
    const { stores, images } = opened()
    mkdirSync(join(images, `${sha256Of(picture())}.png`), { recursive: true, mode: 0o700 })
    chmodSync(images, 0o700)
    expect(() => add(stores, 'image-a')).toThrow(codeOf('image.unkept'))
    expect([readdirSync(images), stores.images.ofDraft(one)]).toEqual([[`${sha256Of(picture())}.png`], []])
  })
})

describe('a start', () => {
  test('removes what was kept without a row or half written, and leaves what it does not know', () => {
    const { stores, folder, images } = opened()
    add(stores, 'image-a')
    stores.close()
    const kept = `${sha256Of(picture())}.png`
    for (const name of [`${'b'.repeat(64)}.webp`, `${sha256Of(picture())}.png.new`, 'notes.txt'])
      writeFileSync(join(images, name), 'x', { mode: 0o600 })
    const next = freshStores(folder)
    expect([readdirSync(images).toSorted(), next.images.read('image-a').content]).toEqual([
      [kept, 'notes.txt'].toSorted(), picture(),
    ])
  })

  test('removes what lost its row before its file could go', () => {
    const { stores, folder, images } = opened()
    add(stores, 'image-a')
    stores.close()
    const database = new Database(join(folder, 'parley.db'), { readOnly: false })
    database.run('delete from conversations')
    database.close()
    expect(readdirSync(images)).toHaveLength(1)
    freshStores(folder)
    expect(readdirSync(images)).toEqual([])
  })

  test('that only looks removes nothing, and shows the images', () => {
    const { stores, folder, images } = opened()
    add(stores, 'image-a')
    writeFileSync(join(images, `${'b'.repeat(64)}.png`), 'x', { mode: 0o600 })
    stores.close()
    const looking = openReadOnly(folder)
    onTestFinished(() => looking?.close())
    expect([looking?.images.read('image-a').content, readdirSync(images).length]).toEqual([picture(), 2])
  })

  test('that only looks at a file from before there were images sees the rest of it', () => {
    const { stores, folder } = opened()
    withTask(stores, one, 'run-one')
    stores.close()
    const database = new Database(join(folder, 'parley.db'), { readOnly: false })
    const later = ['images', 'provider_profiles', 'custom_agents', 'run_details']
    database.script(`${later.map((name) => `drop table ${name};`).join(' ')}
      alter table roots drop column packed; pragma user_version = 1`)
    database.close()
    const looking = openReadOnly(folder)
    const view = looking?.views.conversation(one, null)
    looking?.close()
    expect([view?.draftImages, view?.runs.map(({ images }) => images)]).toEqual([[], [[]]])
    const next = freshStores(folder)
    expect(idsOf([add(next, 'image-a')])).toEqual(['image-a'])
  })
})
