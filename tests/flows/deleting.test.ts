import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { Backups } from '../../electron/stores/backups.ts'
import type { TestOffice } from '../fakes/office.ts'
import { mute, openOffices } from '../fakes/open-offices.ts'

const offices = openOffices()

/** Every file of the data folder that holds one of these words. */
const filesWith = (folder: string, ...words: string[]) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => words.some((word) => readFileSync(path).includes(word)))
    .map((path) => path.slice(folder.length + 1))

const prompt = 'wolkenkratzerbrombeere'
const answer = 'himbeerlaternenfest'
const draft = 'stachelbeerfahrplan'

/** An office with a backup, in which one conversation holds those words and another one does not. */
const usedOffice = async () => {
  const { office } = await offices.open(({ say }) => say(`Fine, ${answer}.`))
  const [conversationId, other] = [await office.chat(), await office.chat()]
  await office.runEnds(await office.send(conversationId, `Remember ${prompt}`))
  await office.runEnds(await office.send(other, 'Remember this'))
  await office.handlers['draft.save']({ conversationId, text: draft })
  await new Backups(office.folder).make(Date.now(), { replaces: false })
  return { office, conversationId, other }
}

const erasureEnds = (office: TestOffice) =>
  vi.waitFor(() => expect(office.stores.erasure.due).toBeNull(), { timeout: 10_000, interval: 20 })

test('what is deleted is in no file of the data folder any more, log and backups included', async () => {
  const { office, conversationId } = await usedOffice()
  const before = filesWith(office.folder, prompt, draft)
  expect(before.some((name) => name.startsWith('backups/'))).toBe(true)
  await office.handlers['conversation.delete']({ conversationId })
  await erasureEnds(office)
  expect(filesWith(office.folder, prompt, draft)).toEqual([])
  expect(readdirSync(join(office.folder, 'backups'))).toHaveLength(1)
  await office.quit()
  expect(filesWith(office.folder, prompt, draft)).toEqual([])
})

test('a crash right after a deletion does not keep the next start from taking it out of the backups', async () => {
  const { office, conversationId } = await usedOffice()
  office.stores.conversations.delete(conversationId)
  const next = await offices.afterACrash(office, [mute()])
  await erasureEnds(next)
  expect(filesWith(next.folder, prompt, draft)).toEqual([])
})

test('before it is deleted it is told what would go and what would stay', async () => {
  const { office, conversationId } = await usedOffice()
  const { deletion } = await office.handlers['conversation.deletion']({ conversationId })
  expect(deletion).toEqual({
    messages: 1, runs: 1, attempts: 1, images: 0, bytes: expect.any(Number), agents: ['rehearsal:bold'],
    backups: 1, quarantined: 0,
  })
  expect(deletion.bytes).toBeGreaterThan(prompt.length + answer.length + draft.length)
})
