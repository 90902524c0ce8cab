import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openOffices } from '../fakes/open-offices.ts'

const offices = openOffices()
const bold = 'rehearsal:bold'

/** A chat that had one turn in a folder that is gone since. */
const chatInGoneFolder = async () => {
  const { office } = await offices.open(({ say }) => say('Fine.'))
  const workdir = join(office.folder, 'projects', 'one')
  mkdirSync(workdir, { recursive: true })
  const conversationId = await office.chat(bold, { workdir })
  expect(await office.runEnds(await office.send(conversationId, 'One?'))).toBe('completed')
  rmSync(join(office.folder, 'projects'), { recursive: true })
  return { office, conversationId, workdir }
}

test('a working directory that went away can be made again, and the conversation goes on there', async () => {
  const { office, conversationId } = await chatInGoneFolder()
  await expect(office.send(conversationId, 'Two?')).rejects.toMatchObject({ code: 'workdir.missing' })
  await office.handlers['workdir.make']({ conversationId })
  expect(await office.runEnds(await office.send(conversationId, 'Two?'))).toBe('completed')
  const { runs } = await office.handlers['conversation.open']({ conversationId, before: null })
  expect(runs.map(({ run }) => run.topic)).toEqual(['One?', 'Two?'])
})

test('one that cannot be made again is refused with what to do, and another folder can be chosen', async () => {
  const { office, conversationId } = await chatInGoneFolder()
  writeFileSync(join(office.folder, 'projects'), 'a file')
  await expect(office.handlers['workdir.make']({ conversationId })).rejects.toMatchObject({ code: 'workdir.not-made' })
  await office.handlers['conversation.update']({ conversationId, workdir: office.folder })
  expect(await office.runEnds(await office.send(conversationId, 'Two?'))).toBe('completed')
})

test('making a directory that is there changes nothing in it', async () => {
  const { office, conversationId, workdir } = await chatInGoneFolder()
  mkdirSync(workdir, { recursive: true })
  writeFileSync(join(workdir, 'kept.txt'), 'kept')
  await office.handlers['workdir.make']({ conversationId })
  expect(await office.runEnds(await office.send(conversationId, 'Two?'))).toBe('completed')
})
