import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readRun } from '../../electron/run-files/run-files.ts'

const folder = join(import.meta.dirname, '..', 'fixtures', 'runs')

/** The names of the runs of the corpus. */
export const recordedRuns: readonly string[] = readdirSync(folder).map((file) => file.replace(/\.json$/, ''))

export const textOfRun = (name: string): string => readFileSync(join(folder, `${name}.json`), 'utf8')

/** One run of the corpus, read as any file would be. */
export const recordedRun = (name: string) => readRun(textOfRun(name)).file
