import { spawn, type ChildProcessWithoutNullStreams, type SpawnOptions } from 'node:child_process'
import { AppError, type Failure } from '../shared/errors.ts'
import { lineMaxBytes, outputMaxBytes, stderrKeptBytes, stdinCloseMs, terminateMs } from '../shared/limits.ts'
import { type Around, straight } from '../shared/steps.ts'
import type { Launch } from './launch.ts'
import { LineReader, Tail } from './lines.ts'
import { stripTerminalCodes } from './terminal-codes.ts'
import { endAllOf, reapBy, survivorsOf, type Leftover } from './process-sweep.ts'
import { launchMarker, startTimeOf, type Ask, type ProcessId } from './process-tree.ts'
import type { LaunchRecorder, LiveProcess, Probe, ProbeEnd } from './live-process.ts'
import type { ProcessEnd } from './ports.ts'
import { drain, headOf } from './process-output.ts'
import { explainStart } from './start-failure.ts'

/** Starts every process of Parley and knows which of them live. */
export class Processes {
  readonly #recorders: readonly LaunchRecorder[]
  readonly #around: Around
  readonly #live = new Set<Child>()
  readonly #starting = new Set<Promise<unknown>>()
  #closed = false

  constructor(...recorders: LaunchRecorder[]) {
    this.#recorders = recorders
    this.#around = recorders.find(({ around }) => around)?.around ?? straight
  }

  /** Throws `workdir.missing`, `agent.spawn-failed` or `app.shutting-down`; nothing is alive after a throw. */
  async launch(launch: Launch): Promise<LiveProcess> {
    if (this.#closed) throw new AppError('app.shutting-down', 'Parley is closing and starts nothing any more.')
    const starting = this.#start(launch)
    this.#starting.add(starting)
    return starting.finally(() => this.#starting.delete(starting))
  }

  async #start(launch: Launch): Promise<LiveProcess> {
    const begin = () =>
      start(launch.program.file, [...launch.program.before, ...launch.args], {
        cwd: launch.cwd,
        env: { ...launch.env, [launchMarker]: launch.token },
      })
    const process = await this.#around({ kind: 'spawn', of: 'agent' }, begin)
    const child = new Child(process, launch)
    this.#live.add(child)
    // it was on its way when all were ended
    if (this.#closed) child.kill()
    const recorded = child.identity.then((leftover) => {
      for (const recorder of this.#recorders) recorder.launched(leftover)
    })
    // elsewhere the start time must be asked of another program, which nobody is to wait for
    if (onLinux) await recorded
    void child.gone.then(async () => {
      this.#live.delete(child)
      const leftover = await child.identity
      for (const recorder of this.#recorders) recorder.gone(leftover)
    })
    return child
  }

  /** Ends every live launch by the whole recipe, all at once. */
  async endAll(cause?: Failure): Promise<void> {
    await Promise.all([...this.#live].map((child) => child.end(cause)))
  }

  /** The end of Parley: ends every live launch, and every short program that is asked something; starts none after. */
  async close(): Promise<void> {
    this.#closed = true
    await Promise.allSettled(this.#starting)
    await this.endAll()
    await endAsked()
  }

  /** Kills every live launch, also one that is being ended and takes its time. Resolves once nothing of them lives. */
  async killAll(): Promise<void> {
    this.#closed = true
    for (const child of this.#live) child.kill()
    await Promise.all([...this.#live].map(({ gone }) => gone))
    await endAsked()
  }

  /** The launches that live now. */
  get live(): readonly LiveProcess[] {
    return [...this.#live]
  }
}

/** Runs one short program to its end, with nothing on its stdin, and keeps a bounded head of what it prints. */
export const runOnce = async ({ file, args, env, cwd, atMostMs, signal }: Probe): Promise<ProbeEnd> => {
  if (signal?.aborted) return { status: 'failed', reason: 'aborted' }
  const child = await start(file, args, { env, cwd }).catch(() => null)
  if (!child) return { status: 'failed', reason: 'missing' }
  asked.add(child)
  child.once('exit', () => asked.delete(child))
  child.stdin.end()
  const stdout = headOf(child.stdout)
  const stderr = headOf(child.stderr)
  const cut = Promise.withResolvers<ProbeEnd>()
  const late = setTimeout(() => cut.resolve({ status: 'failed', reason: 'late' }), atMostMs)
  const abort = () => cut.resolve({ status: 'failed', reason: 'aborted' })
  signal?.addEventListener('abort', abort)
  const ended = drain(child).then(({ code }): ProbeEnd => ({
    status: 'ended',
    code,
    stdout: stdout(),
    stderr: stderr(),
  }))
  const end = await Promise.race([ended, cut.promise])
  clearTimeout(late)
  signal?.removeEventListener('abort', abort)
  if (end.status === 'failed') signalGroup(child, 'SIGKILL')
  return end
}

/** Short programs that are being asked something. */
const asked = new Set<ChildProcessWithoutNullStreams>()

const endAsked = async (): Promise<void> => {
  const exits = [...asked].map((child) => new Promise((resolve) => {
    child.once('exit', resolve)
    signalGroup(child, 'SIGKILL')
  }))
  await Promise.all(exits)
}

/** Ends what an earlier start left behind; see `reapBy`. */
export const reap = (leftovers: readonly Leftover[]): Promise<number> => reapBy(leftovers, ask)

class Child implements LiveProcess {
  readonly pid: number
  readonly startedAt = Date.now()
  readonly identity: Promise<Leftover>
  readonly drained: LiveProcess['drained']
  readonly gone: Promise<ProcessEnd>
  readonly #process: ChildProcessWithoutNullStreams
  readonly #launch: Launch
  readonly #exited: Promise<unknown>
  readonly #remembered: ProcessId[] = []
  #cause: Failure | null = null
  #ending: 'none' | 'politely' | 'now' = 'none'
  #mayStillPrint = outputMaxBytes

  constructor(process: ChildProcessWithoutNullStreams, launch: Launch) {
    this.pid = process.pid ?? -1
    this.#process = process
    this.#launch = launch
    this.identity = startTimeOf(this.pid, ask).then((startTime) => ({
      pid: this.pid,
      startTime: startTime ?? '',
      token: launch.token,
    }))
    this.#exited = new Promise((resolve) => {
      process.once('exit', resolve)
    })
    this.drained = this.#listen()
    this.gone = this.#settle()
  }

  get cause() {
    return this.#cause
  }

  get isEnding() {
    return this.#ending !== 'none'
  }

  write(line: string): boolean {
    if (!this.#process.stdin.writable) return false
    this.#process.stdin.write(`${line}\n`)
    return true
  }

  writeLast(text: string) {
    if (this.#process.stdin.writable) this.#process.stdin.end(text)
  }

  renewAllowance() {
    this.#mayStillPrint = outputMaxBytes
  }

  async end(cause?: Failure): Promise<ProcessEnd> {
    if (cause) this.#cause ??= cause
    if (this.#ending !== 'none') return this.gone
    this.#ending = 'politely'
    await this.#remember()
    this.#process.stdin.end()
    if (await this.#exitsWithin(stdinCloseMs)) return this.gone
    signalGroup(this.#process, 'SIGTERM')
    if (await this.#exitsWithin(terminateMs)) return this.gone
    this.kill()
    return this.gone
  }

  kill(cause?: Failure) {
    if (cause) this.#cause ??= cause
    this.#ending = 'now'
    this.#process.stdin.destroy()
    void this.#remember().then(() => signalGroup(this.#process, 'SIGKILL'))
  }

  #listen(): LiveProcess['drained'] {
    const { stdin, stdout, stderr } = this.#process
    const reader = new LineReader(this.#launch.hear, this.#launch.lineMaxBytes ?? lineMaxBytes)
    const tail = new Tail(stderrKeptBytes)
    stdin.on('error', () => {})
    stdout.on('data', (bytes: Buffer) => this.#allow(bytes) && reader.push(bytes))
    stderr.on('data', (bytes: Buffer) => tail.push(bytes))
    if (this.#launch.overhear) stderr.on('data', this.#launch.overhear)
    return drain(this.#process).then((exit) => {
      reader.end()
      return { ...exit, stderr: this.#launch.redact(stripTerminalCodes(tail.text())).trim() }
    })
  }

  #allow(bytes: Buffer): boolean {
    this.#mayStillPrint -= bytes.length
    if (this.#mayStillPrint >= 0) return true
    if (this.#cause?.code !== 'agent.output-limit') {
      this.kill({ code: 'agent.output-limit', message: 'The agent printed more than Parley takes from one turn.' })
      this.#process.stdout.destroy()
    }
    return false
  }

  /** Waits for what is still being printed unless we are ending it: then whoever holds its pipes must go first. */
  async #settle(): Promise<ProcessEnd> {
    await this.#exited
    if (this.#ending === 'none') await this.drained
    const root = await this.identity
    const killed = await endAllOf(() => survivorsOf(root, this.#remembered, ask), this.#ending === 'none')
    const { code, signal, stderr } = await this.drained
    return { code, signal, stderr, killed: killed + (signal === 'SIGKILL' ? 1 : 0) }
  }

  /** Signals orphan descendants, and orphans cannot be found by their parents: so the tree is noted before. */
  async #remember() {
    this.#remembered.push(...(await survivorsOf(await this.identity, [], ask)))
  }

  #exitsWithin(milliseconds: number): Promise<boolean> {
    const timer = Promise.withResolvers<boolean>()
    const late = setTimeout(() => timer.resolve(false), milliseconds)
    return Promise.race([this.#exited.then(() => true), timer.promise]).finally(() => clearTimeout(late))
  }
}

/** Resolves once the process runs; it leads a group of its own, and no shell is between. */
const start = async (
  file: string,
  args: readonly string[],
  options: Pick<SpawnOptions, 'env'> & { cwd?: string | undefined },
): Promise<ChildProcessWithoutNullStreams> => {
  try {
    const detached = process.platform !== 'win32'
    const child = spawn(file, args, { ...options, stdio: 'pipe', shell: false, windowsHide: true, detached })
    await new Promise((resolve, reject) => {
      child.once('spawn', resolve).once('error', reject)
    })
    child.on('error', () => {})
    return child
  } catch (error) {
    throw await explainStart(error, options.cwd)
  }
}

const signalGroup = (child: ChildProcessWithoutNullStreams, signal: NodeJS.Signals) => {
  if (child.pid === undefined) return
  if (process.platform === 'win32') {
    void ask('taskkill', ['/PID', String(child.pid), '/T', ...(signal === 'SIGKILL' ? ['/F'] : [])])
    return
  }
  try {
    process.kill(-child.pid, signal)
  } catch {
    // the group is empty already
  }
}

const onLinux = process.platform === 'linux'

const ask: Ask = async (file, args) => {
  const env = Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (value ? [[name, value]] : [])))
  const end = await runOnce({ file, args, env, atMostMs: stdinCloseMs })
  return end.status === 'ended' ? end.stdout : ''
}

/** Starts a program outside every launch: one that takes over this terminal, or one of the desktop. */
export const startOutside = (
  file: string,
  args: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'env' | 'stdio' | 'detached'>,
) => spawn(file, args, { ...options, shell: false })
