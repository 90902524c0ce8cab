import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newId } from '../new-id.ts'

/** Writes a file whole or not at all, so that only its owner can read it. */
export const writePrivately = async (path: string, text: string): Promise<void> => {
  const unborn = `${path}.${newId('part')}`
  try {
    await writeFile(unborn, text, { mode: 0o600, flag: 'wx' })
    await rename(unborn, path)
  } catch (error) {
    await rm(unborn, { force: true })
    throw error
  }
}

/** For a shell that cannot ask where: saves into a folder, and never over another file. Gives the file's path. */
export const saveInto = async (folder: string, name: string, text: string): Promise<string> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = freeName(folder, name)
  await writePrivately(path, text)
  return path
}

const freeName = (folder: string, name: string): string => {
  const [stem, end] = [name.replace(/\.json$/, ''), '.json']
  for (let number = 1; ; number += 1) {
    const path = join(folder, number === 1 ? `${stem}${end}` : `${stem}-${number}${end}`)
    if (!existsSync(path)) return path
  }
}
