import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readRun } from '../../../electron/run-files/run-files.ts'
import { exportLines, exportStored } from '../../../electron/shells/terminal/export.ts'
import { recordedRun } from '../../fakes/recorded-runs.ts'
import { freshFolder, freshStores } from '../stores/fresh.ts'

const file = recordedRun('gates-allowed-and-denied')
const { runId } = file.run

/** A data folder that holds one run of the corpus, with a Parley open on it. */
const filled = () => {
  const dataFolder = freshFolder()
  freshStores(dataFolder).imports.add(file, { conversationId: 'conversation-one', messageId: 'message-one', at: 1 })
  return dataFolder
}

test('a stored run is saved as a file in this folder, beside others of its name', async () => {
  const here = freshFolder()
  const wish = { dataFolder: filled(), runId, here, env: {}, parley: '0.1.0' }
  const first = await exportStored(wish)
  const second = await exportStored(wish)
  expect(second.path).not.toBe(first.path)
  expect(readRun(readFileSync(second.path, 'utf8')).file).toEqual({ ...file, exportedAt: expect.any(Number) })
  expect(exportLines(first)[0]).toBe(`Saved as ${first.path}`)
})

test('a run that is not there, and a folder without any, are refused with a code', async () => {
  const wish = { dataFolder: filled(), here: freshFolder(), env: {}, parley: '0.1.0' }
  await expect(exportStored({ ...wish, runId: 'run_none' })).rejects.toMatchObject({ code: 'run.unknown' })
  await expect(exportStored({ ...wish, runId, dataFolder: freshFolder() })).rejects.toMatchObject({
    code: 'ledger.damaged',
  })
})
