import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { logFileMaxBytes } from '../shared/limits.ts'

/** Codes, ids, counts and durations: never a prompt, a path or a key. */
export type LogFields = Readonly<Record<string, string | number | boolean | null>>

/** Writes what happened as one JSON object per line. */
export interface Log {
  info(code: string, fields?: LogFields): void
  warn(code: string, fields?: LogFields): void
  error(code: string, fields?: LogFields): void
  /** The same log with these fields in every line. */
  for(fields: LogFields): Log
  close(): void
}

/** Opens the log of a data folder. A log that cannot be written is silent: it must never be why Parley fails. */
export const openLog = (dataFolder: string): Log => {
  const file = new RotatingFile(join(dataFolder, 'log'))
  return bound({ write: (line) => file.write(line), close: () => file.close(), fields: {} })
}

/** A log that keeps nothing. */
export const silentLog = (): Log => bound({ write: () => {}, close: () => {}, fields: {} })

interface Sink {
  write(line: string): void
  close(): void
  fields: LogFields
}

const bound = (sink: Sink): Log => {
  const line = (level: string) => (code: string, fields: LogFields = {}) =>
    sink.write(`${JSON.stringify({ at: now(), level, code, ...sink.fields, ...shortened(fields) })}\n`)
  return {
    info: line('info'),
    warn: line('warn'),
    error: line('error'),
    for: (fields) => bound({ ...sink, fields: { ...sink.fields, ...shortened(fields) } }),
    close: () => sink.close(),
  }
}

const now = () => new Date().toISOString()

const valueMaxCharacters = 200

const shortened = (fields: LogFields): LogFields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.slice(0, valueMaxCharacters) : value,
    ]),
  )

/** Keeps a log file and the one before it. Lines are few, so each is written at once: none is lost in a crash. */
class RotatingFile {
  readonly #folder: string
  readonly #path: string
  #descriptor: number | null = null
  #bytes = 0

  constructor(folder: string) {
    this.#folder = folder
    this.#path = join(folder, 'parley.log')
  }

  write(line: string) {
    try {
      this.#descriptor ??= this.#open()
      if (this.#bytes + Buffer.byteLength(line) > logFileMaxBytes) this.#descriptor = this.#rotate(this.#descriptor)
      this.#bytes += writeSync(this.#descriptor, line)
    } catch {
      // a full disk or a folder that cannot be written is shown by the stores, which matter
    }
  }

  close() {
    if (this.#descriptor === null) return
    closeSync(this.#descriptor)
    this.#descriptor = null
  }

  #open(): number {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    const descriptor = openSync(this.#path, 'a', 0o600)
    this.#bytes = fstatSync(descriptor).size
    return descriptor
  }

  #rotate(full: number): number {
    closeSync(full)
    this.#descriptor = null
    renameSync(this.#path, join(this.#folder, 'parley.1.log'))
    return this.#open()
  }
}
