import { AppError } from '../../../shared/errors.ts'
import type { RunFilePreview } from '../../../shared/run-file.ts'
import { writeRun } from '../../run-files/run-files.ts'
import { openReadOnly } from '../../stores/look.ts'
import { saveInto } from '../save-file.ts'

interface ExportWish {
  dataFolder: string
  runId: string
  /** Where the file goes. */
  here: string
  env: Readonly<Record<string, string | undefined>>
  parley: string
}

/**
 * Saves one stored run as a file, and starts nothing; another Parley may be open on the folder. Throws
 * `ledger.damaged`, `run-file.unsaved`, and what `writeRun` does.
 */
export const exportStored = async ({ dataFolder, runId, here, env, parley }: ExportWish) => {
  const stores = openReadOnly(dataFolder)
  if (!stores) throw new AppError('ledger.damaged', 'What is stored cannot be read. It was left as it is.')
  try {
    // keys of providers can be read in the window only; each turn was cleaned of them as it was recorded
    const options = { env, dataFolder, keys: [], parley, at: Date.now() }
    const { name, text, preview } = await writeRun(stores, runId, options)
    return { path: await saved(here, name, text), preview }
  } finally {
    stores.close()
  }
}

/** The same for people. */
export const exportLines = ({ path, preview }: { path: string; preview: RunFilePreview }): string[] => [
  `Saved as ${path}`,
  `${preview.messages} messages, ${preview.characters} characters, ${preview.transitions} transitions, `
  + `${preview.prompts} prompts`,
  `Replaced in ${preview.replaced} texts: paths, names, secrets. Left out: ${preview.images} images.`,
]

const saved = async (here: string, name: string, text: string): Promise<string> => {
  try {
    return await saveInto(here, name, text)
  } catch (error) {
    throw new AppError('run-file.unsaved', 'The file could not be written there.', { cause: error })
  }
}
