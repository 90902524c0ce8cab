import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { compose } from '../compose.ts'
import type { Log } from '../log.ts'
import type { Composition, ShellPort } from '../shell.ts'
import { openSettings } from '../shells/settings.ts'

/** Makes the composition of a data folder for a shell that runs in plain Node. */
export const composing = async (dataFolder: string, log: Log): Promise<(shell: ShellPort) => Composition> => {
  const version = await ownVersion()
  return (shell) =>
    compose({ dataFolder, shell, env: process.env, settings: openSettings(dataFolder), version, log })
}

/** The version of this Parley. */
export const ownVersion = async (): Promise<string> => {
  const manifest = await readFile(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8')
  return Manifest.parse(JSON.parse(manifest)).version
}

const Manifest = z.object({ version: z.string() })
