import { rm } from 'node:fs/promises'
import { parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startOutside } from '../../adapters/process.ts'
import { backupGenerationsMax } from '../../shared/limits.ts'
import { backupExitCodes } from './backup-exit-codes.ts'
import { bytesOf, type Files, filesIn, statOf } from './files.ts'
import { generationsIn, placeForNext, promote, removeUnfinished } from './generations.ts'
import { quarantinedIn } from './quarantine.ts'

/**
 * What became of a backup: `unsound` is one that did not pass its verification, `outrun` one that was given up so that
 * the log could begin anew, `stopped` one that is no longer wanted. None of these changes the ones before it.
 */
type BackupOutcome = 'made' | 'unsound' | 'outrun' | 'stopped' | 'failed'

/** Makes verified copies of the whole record in a process of their own, one at a time, and keeps the newest of them. */
export class Backups {
  readonly #files: Files
  #making: { stop: AbortController; outcome: Promise<BackupOutcome> } | null = null

  constructor(folder: string) {
    this.#files = filesIn(folder)
  }

  /** When the newest was made; `null` for none. */
  get newestAt(): number | null {
    return generationsIn(this.#files)[0]?.at ?? null
  }

  /** Whether something was written since the newest was made. */
  get isBehind(): boolean {
    const { newestAt } = this
    return newestAt === null || [this.#files.database, this.#files.log].some((path) => changedAfter(path, newestAt))
  }

  /** How many there are, and how many damaged records are kept beside them. */
  get kept(): { backups: number; quarantined: number } {
    return { backups: generationsIn(this.#files).length, quarantined: quarantinedIn(this.#files) }
  }

  /** How much they take, in bytes. */
  get bytes(): number {
    return generationsIn(this.#files).reduce((sum, { path }) => sum + bytesOf(path), 0)
  }

  /** `replaces` lets no earlier one stay. Rejects for nothing: a backup must never be why Parley fails. */
  async make(at: number, { replaces }: { replaces: boolean }): Promise<BackupOutcome> {
    if (this.#making) return 'stopped'
    const stop = new AbortController()
    this.#making = { stop, outcome: this.#makeOne(at, replaces ? 1 : backupGenerationsMax, stop.signal) }
    try {
      return await this.#making.outcome
    } finally {
      this.#making = null
    }
  }

  /** Gives up the one that is being made, if any; resolves when nothing of it is left, nor of one before a crash. */
  async stop(): Promise<void> {
    this.#making?.stop.abort()
    await this.#making?.outcome
    removeUnfinished(this.#files)
  }

  async #makeOne(at: number, kept: number, signal: AbortSignal): Promise<BackupOutcome> {
    try {
      const place = placeForNext(this.#files)
      const verdict = await this.#copy(place, signal)
      if (verdict === 'good') {
        const surplus = await promote(this.#files, place, at, kept)
        await Promise.all(surplus.map((path) => rm(path, { force: true })))
        return 'made'
      }
      removeUnfinished(this.#files)
      return verdict
    } catch {
      return 'failed'
    }
  }

  #copy(place: string, signal: AbortSignal): Promise<Verdict> {
    const { database, log } = this.#files
    const args = ['--disable-warning=ExperimentalWarning', program, database, log, place]
    const child = startOutside(process.execPath, args, {
      // under Electron the same program is a Node when it is told so
      env: { PATH: process.env.PATH, SYSTEMROOT: process.env.SYSTEMROOT, ELECTRON_RUN_AS_NODE: '1' },
      cwd: parse(process.execPath).root,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    child.stdin?.on('error', () => {})
    signal.addEventListener('abort', () => child.kill('SIGKILL'))
    return new Promise((resolve) => {
      child.once('error', () => resolve('failed'))
      child.once('exit', (code) => resolve(signal.aborted ? 'stopped' : verdictOf(code)))
    })
  }
}

type Verdict = Exclude<BackupOutcome, 'made'> | 'good'

const verdictOf = (code: number | null): Verdict => {
  const known = verdicts.find(([, value]) => value === code)
  return known?.[0] ?? 'failed'
}

const verdicts = [
  ['good', backupExitCodes.good], ['unsound', backupExitCodes.unsound], ['outrun', backupExitCodes.outrun],
] as const

const fileName = import.meta.url.endsWith('.ts') ? './back-up.ts' : './back-up.js'
const program = fileURLToPath(new URL(fileName, import.meta.url))

const changedAfter = (path: string, at: number) => (statOf(path)?.mtimeMs ?? 0) > at
