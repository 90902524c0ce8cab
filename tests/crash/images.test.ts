import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { openStores } from '../../electron/stores/open.ts'
import { freshFolder, freshStores } from '../electron/stores/fresh.ts'
import { conversation } from '../electron/stores/records.ts'
import { startChild } from './start-child.ts'

const one = 'conversation-one'

test('after a kill -9 every kept image is whole, and every file is of one', { timeout: 60_000 }, async () => {
  const folder = freshFolder()
  const images = join(folder, 'images')
  const stores = freshStores(folder)
  stores.conversations.create(conversation(one))
  stores.close()
  for (let crash = 1; crash <= 12; crash += 1) {
    await addUntilKilled(folder, crash)
    const next = openStores(folder)
    const kept = next.images.ofDraft(one).map(({ imageId }) => imageId)
    const files = new Set(next.images.sound(kept).map(({ file }) => file))
    const found = existsSync(images) ? readdirSync(images).map((name) => join(images, name)) : []
    next.close()
    expect([new Set(found), next.readOnly]).toEqual([files, false])
  }
})

const addUntilKilled = async (folder: string, lines: number) => {
  const child = startChild('image-child.ts', folder)
  let said = 0
  for await (const _line of createInterface({ input: child.stdout })) if (said++ === lines) child.kill('SIGKILL')
}
