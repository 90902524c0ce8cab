import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { AppError } from '../shared/errors.ts'
import type { InstallPart } from '../shared/install-parts.ts'
import type { InstallRecipe } from '../shared/install-recipes.ts'
import { probeOutputMaxBytes } from '../shared/limits.ts'
import { compareNumbers, numbersOf } from '../shared/version-numbers.ts'
import { childEnvironment, homeOf, withFolderOnPath, type Env } from './environment.ts'
import { hashArchive } from './installer/archive.ts'
import { findNpm, type Npm } from './installer/find-npm.ts'
import { readableLines, readIntegrity, readNpmFailure } from './installer/npm-output.ts'
import type { Launch } from './launch.ts'
import type { LiveProcess } from './live-process.ts'
import type { Processes } from './process.ts'
import { hiddenOf } from './redact.ts'

interface InstallerOptions {
  processes: Processes
  env: Env
  /** Parley's own folder of agents, with one folder for each: never the system's. */
  folder: string
  /** Every readable line that npm prints, without secrets. */
  heard: (line: string) => void
}

/** Installs packages with npm, one at a time, in steps that can each be left at any moment. */
export class Installer {
  readonly #options: InstallerOptions
  readonly #env: Readonly<Record<string, string>>
  #npm: Npm | null = null
  #archive: string | null = null
  #placed: string | null = null
  /** What still goes on of steps that were left. */
  #going: Promise<unknown> = Promise.resolve()

  constructor(options: InstallerOptions) {
    this.#options = options
    this.#env = childEnvironment(options.env, { names: npmNames, values: npmValues })
  }

  /** A new installation: what the one before put in its place stays there. */
  begin(): void {
    this.#npm = null
    this.#archive = null
    this.#placed = null
  }

  /** Looks for what the recipe needs. Throws `install.npm-missing` or `install.node-too-old`. */
  async prepare(recipe: InstallRecipe, signal: AbortSignal): Promise<void> {
    this.#npm = await findNpm(this.#env, signal)
    const { version } = this.#npm.program
    if (compareNumbers(numbersOf(version), recipe.node) < 0) {
      throw new AppError('install.node-too-old', `It needs Node.js ${recipe.node.join('.')}; ${version} is here.`, {
        params: { needs: recipe.node.join('.'), found: version },
      })
    }
  }

  /**
   * Compares what the registry published of the package and its parts with what is pinned; changes nothing.
   * Throws `install.unverified`, `install.mismatch`, `install.unreachable` or `install.npm-failed`.
   */
  verify(recipe: InstallRecipe, parts: readonly InstallPart[], signal: AbortSignal): Promise<void> {
    return this.#step(async () => {
      const pinned = [{ spec: nameOf(recipe), integrity: recipe.integrity }, ...parts]
      for (const { spec, integrity } of pinned) {
        const args = ['view', spec, 'dist.integrity', '--json', '--fetch-retries=1']
        // one process of npm at a time: what is told of it stays in order, and the first difference is enough
        if (readIntegrity(await this.#run(args, signal, 'answer')) !== integrity) throw mismatch()
      }
    })
  }

  /** Fetches the archive into a folder aside and hashes it. Throws as `verify` does, or `install.unwritable`. */
  fetch(recipe: InstallRecipe, signal: AbortSignal): Promise<void> {
    return this.#step(() => this.#fetch(recipe, signal))
  }

  /** Installs what was fetched, aside first and then in its place. Throws `install.npm-failed` or `.unwritable`. */
  install(recipe: InstallRecipe, signal: AbortSignal): Promise<void> {
    return this.#step(() => this.#install(recipe, signal))
  }

  /**
   * Waits until nothing of the step that was left goes on, and removes what it made; gives whether that was a program
   * in its place. Throws `install.uncleared`.
   */
  async clear(): Promise<boolean> {
    await this.#going
    try {
      await rm(this.#aside, removal)
      if (this.#placed === null) return false
      await rm(this.#placed, removal)
      return true
    } catch (error) {
      throw new AppError('install.uncleared', 'What was left of the installation could not be removed.', {
        cause: error,
      })
    }
  }

  get #aside(): string {
    return join(this.#options.folder, '.installing')
  }

  async #fetch(recipe: InstallRecipe, signal: AbortSignal): Promise<void> {
    const place = join(this.#aside, 'archive')
    await rm(this.#aside, { recursive: true, force: true })
    await mkdir(place, { recursive: true, mode: 0o700 })
    const args = ['pack', nameOf(recipe), '--pack-destination', place, '--json', '--ignore-scripts']
    await this.#run(args, signal, 'answer')
    const [file, ...more] = await readdir(place)
    if (file === undefined || more.length > 0) {
      throw new AppError('install.unverified', 'npm did not fetch exactly one archive.')
    }
    this.#archive = join(place, file)
    if ((await hashArchive(this.#archive, signal)) !== recipe.integrity) throw mismatch()
  }

  async #install(recipe: InstallRecipe, signal: AbortSignal): Promise<void> {
    if (this.#archive === null) throw new AppError('install.unverified', 'Nothing was fetched to install.')
    const prefix = join(this.#aside, 'prefix')
    await mkdir(prefix, { recursive: true, mode: 0o700 })
    const scripts = recipe.scripts ? [] : ['--ignore-scripts']
    await this.#run(['install', '--global', '--prefix', prefix, ...scripts, this.#archive], signal, 'words')
    signal.throwIfAborted()
    const place = join(this.#options.folder, recipe.agent)
    await rm(place, { recursive: true, force: true })
    this.#placed = place
    await rename(prefix, place)
    await rm(this.#aside, { recursive: true, force: true })
  }

  /** One step begins after the one before has come to its end, also where nobody waits for that any more. */
  #step(work: () => Promise<void>): Promise<void> {
    const step = this.#going.then(work).catch(explain)
    this.#going = step.then(nothing, nothing)
    return step
  }

  /** Runs npm to its end and gives what it printed. Aborted, it ends the whole tree and rejects after that. */
  async #run(args: readonly string[], signal: AbortSignal, prints: 'answer' | 'words'): Promise<string> {
    const hidden = hiddenOf(this.#options.env)
    const [printed, complained] = [1, 2].map(() => readableLines(hidden, this.#options.heard))
    let answer = ''
    signal.throwIfAborted()
    const live = await this.#launch(args, {
      hear: {
        line: (line) => {
          if (prints === 'words') printed?.push(Buffer.from(`${line}\n`))
          else if (answer.length < probeOutputMaxBytes) answer += `${line}\n`
        },
        omitted: () => undefined,
      },
      overhear: (bytes) => complained?.push(bytes),
    })
    const stop = () => void live.end()
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    const { code, stderr } = await live.gone
    complained?.end()
    signal.removeEventListener('abort', stop)
    signal.throwIfAborted()
    if (code !== 0) throw readNpmFailure(answer, stderr)
    return answer
  }

  async #launch(args: readonly string[], ears: Pick<Launch, 'hear' | 'overhear'>): Promise<LiveProcess> {
    if (!this.#npm) throw new AppError('install.npm-missing', 'npm was not looked for yet.')
    const { program } = this.#npm
    try {
      return await this.#options.processes.launch({
        ...ears,
        program,
        args: [...args, ...everyRun],
        // not a project of anybody's: npm reads settings of the folder that it is in
        cwd: homeOf(this.#env) || homedir(),
        env: withFolderOnPath({ ...this.#env, ...program.env }, dirname(program.file)),
        token: `install_${randomUUID()}`,
        redact: (text) => text,
      })
    } catch (error) {
      throw new AppError('install.npm-failed', 'npm could not be started.', { cause: error })
    }
  }
}

const nameOf = (recipe: InstallRecipe) => `${recipe.package}@${recipe.version}`

const mismatch = () => new AppError('install.mismatch', 'What the registry offers is not what was pinned.')

/** What npm or we said stays as it is; what the file system said becomes one sentence. */
const explain = (error: unknown): never => {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) throw error
  throw new AppError('install.unwritable', 'The folder of agents cannot be written.', { cause: error })
}

const nothing = () => undefined

const removal = { recursive: true, force: true, maxRetries: 3 } as const

const everyRun = ['--loglevel=http', '--no-audit', '--no-fund', '--no-progress', '--color=false']

/** npm's own settings that say where packages come from; those that hold a login are not among them. */
const npmSettings = [
  'registry', 'cache', 'userconfig', 'globalconfig', 'proxy', 'https_proxy', 'noproxy', 'cafile', 'ca',
]
const npmNames = npmSettings.flatMap((name) => [`npm_config_${name}`, `NPM_CONFIG_${name.toUpperCase()}`])
const npmValues = { npm_config_update_notifier: 'false' }
