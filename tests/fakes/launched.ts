import { spawn, type ChildProcess } from 'node:child_process'
import { readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

/** What a finished `npm start` left: its exit code and everything it printed. */
export interface Ended {
  code: number | null
  out: string
  outline: string
}

/** `npm start` as a real process, or what that starts, in a data and a working folder of its own. */
export class Launched {
  readonly process: ChildProcess
  readonly ended: Promise<Ended>
  #out = ''
  #outline = ''
  readonly #waiting = new Set<() => void>()

  constructor(args: readonly string[], folders: { data: string; work: string }, by: 'npm' | 'node' = 'node') {
    const launch = join(root, 'electron', 'launch.ts')
    const [file, before] = by === 'npm'
      ? ['npm', ['start', '--silent', '--prefix', root, '--']]
      : [process.execPath, ['--disable-warning=ExperimentalWarning', launch]]
    // no display is passed on, and no file of the person's own
    const env = { PATH: process.env['PATH'], HOME: folders.work, PARLEY_DATA: folders.data, PARLEY_REHEARSAL_PACE: '0' }
    this.process = spawn(file, [...before, ...args], {
      cwd: folders.work, env, stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.process.stdout?.on('data', (bytes: Buffer) => this.#heard(() => (this.#out += bytes.toString())))
    this.process.stderr?.on('data', (bytes: Buffer) => this.#heard(() => (this.#outline += bytes.toString())))
    this.ended = new Promise((resolve) => {
      this.process.once('close', (code) => {
        resolve({ code, out: this.#out, outline: this.#outline })
        this.#heard(() => {})
      })
    })
  }

  /** Resolves once it has printed this; throws when it ends without. */
  async prints(words: string): Promise<void> {
    while (!`${this.#out}${this.#outline}`.includes(words)) {
      if (this.process.exitCode !== null || this.process.signalCode !== null) {
        throw new Error(`it ended without "${words}":\n${this.#out}${this.#outline}`)
      }
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve)
      })
    }
  }

  #heard(keep: () => void) {
    keep()
    for (const wake of this.#waiting) wake()
    this.#waiting.clear()
  }
}

/** How many processes work in a folder now (Linux). */
export const processesIn = async (folder: string): Promise<number> => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const places = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')))
  return places.filter((place) => place === folder).length
}
