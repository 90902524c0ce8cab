import { renameSync } from 'node:fs'
import { join } from 'node:path'
import Conf from 'conf'
import { AppError } from '../../shared/errors.ts'
import { defaultSettings, Settings } from '../../shared/settings.ts'
import type { SettingsPort } from '../shell.ts'

/** A file of named values: `conf`, or Electron's own kind of it. */
interface ValuesFile {
  readonly store: unknown
  set(values: Settings): void
}

export type OpenValuesFile = (options: { folder: string; name: string; read: (text: string) => Settings }) => ValuesFile

/** Opens the preferences of a data folder. A damaged file is set aside, never written over. */
export const openSettings = (dataFolder: string, open: OpenValuesFile = openConf): SettingsPort => {
  const file = openOrSetAside(dataFolder, open)
  const read = () => known(file?.store)
  return {
    read,
    save(patch) {
      const settings = Settings.parse({ ...read(), ...given(patch) })
      try {
        if (!file) throw new AppError('ledger.unwritable', 'There is no settings file.')
        file.set(settings)
      } catch (error) {
        throw new AppError('ledger.unwritable', 'The settings could not be saved: the data folder cannot be written.', {
          cause: error,
        })
      }
      return settings
    },
  }
}

const openConf: OpenValuesFile = ({ folder, name, read }) =>
  new Conf<Settings>({ cwd: folder, configName: name, deserialize: read, configFileMode: 0o600 })

const fileName = 'settings'

function openOrSetAside(folder: string, open: OpenValuesFile): ValuesFile | null {
  const options = { folder, name: fileName, read: readText }
  try {
    return open(options)
  } catch {
    return setAside(folder) ? openOrNothing(options, open) : null
  }
}

function openOrNothing(options: Parameters<OpenValuesFile>[0], open: OpenValuesFile): ValuesFile | null {
  try {
    return open(options)
  } catch {
    // the folder cannot be used: defaults are shown, and saving says why it fails
    return null
  }
}

function setAside(folder: string): boolean {
  try {
    renameSync(join(folder, `${fileName}.json`), join(folder, `${fileName}.damaged-${Date.now()}.json`))
    return true
  } catch {
    return false
  }
}

const readText = (text: string): Settings => {
  // editors on some systems put a byte order mark in front
  const values: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
  if (typeof values !== 'object' || values === null || Array.isArray(values)) throw new SyntaxError('not an object')
  return known(values)
}

/** Every setting as it is stored, or its default where it is missing or no longer allowed. */
const known = (stored: unknown): Settings => {
  const values = new Map<string, unknown>(Object.entries(stored ?? {}))
  const entries = Object.entries(defaultSettings).filter(([name]) => values.has(name))
  const allowed = entries.flatMap(([name]) => {
    const one = Settings.partial().safeParse({ [name]: values.get(name) })
    return one.success ? Object.entries(one.data) : []
  })
  return Settings.parse({ ...defaultSettings, ...Object.fromEntries(allowed) })
}

const given = (patch: object) => Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
