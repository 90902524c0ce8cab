import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { programFolder } from '../../adapters/installer/places.ts'
import type { Detection } from '../../adapters/ports.ts'
import { Processes, runOnce } from '../../adapters/process.ts'
import { Agents } from '../../electron/supervisors/agents.ts'
import { AwakeClock } from '../../electron/supervisors/awake-clock.ts'
import { Installs } from '../../electron/supervisors/installs.ts'
import { fenceOf } from '../../electron/wiring/fence.ts'
import type { BegunInstall, InstallState, InstallView } from '../../shared/install.ts'
import type { InstallPart } from '../../shared/install-parts.ts'
import { recipeOf, type InstallRecipe } from '../../shared/install-recipes.ts'
import { FakeAdapter } from './fake-adapter.ts'
import type { NpmCall, NpmPlan } from './fake-npm.ts'

export const secret = 'sk-canary-0123456789abcdef'

const archive = 'the bytes of a package'
export const integrityOf = (text: string) => `sha512-${createHash('sha512').update(text).digest('base64')}`

/** A computer with Node.js, a fake npm, a home, and nothing else on it; and those who install there. */
export class NpmHouse {
  readonly folder = mkdtempSync(join(tmpdir(), 'parley-npm-'))
  readonly agentsFolder = join(this.folder, 'parley-agents')
  readonly processes = new Processes()
  readonly views: InstallView[] = []
  readonly recipe: InstallRecipe
  readonly agents: Agents
  readonly installs: Installs
  readonly #awake = new AwakeClock(Date.now)
  readonly #waiting = new Set<() => void>()
  /** What is kept of an installation that goes on. */
  begun: BegunInstall | null = null
  #made = 0

  constructor(
    plan: Partial<NpmPlan> = {},
    more: { system?: string; withNpm?: boolean; recipe?: Partial<InstallRecipe>; parts?: InstallPart[] } = {},
  ) {
    const codex = recipeOf('codex')
    if (!codex) throw new Error('codex has no recipe')
    this.recipe = { ...codex, integrity: integrityOf(archive), ...more.recipe }
    this.#furnish(plan, more.withNpm ?? true)
    const env = {
      PATH: join(this.folder, 'bin'),
      HOME: join(this.folder, 'home'),
      OPENAI_API_KEY: secret,
      NPM_TOKEN: secret,
      npm_config_registry: 'https://packages.example',
      npm_config__auth: secret,
    }
    this.agents = new Agents([new HouseCodex([env.PATH, programFolder(this.agentsFolder, 'codex')])], () => undefined)
    this.installs = new Installs({
      fence: fenceOf('boot', Date.now),
      awake: this.#awake,
      agents: this.agents,
      processes: this.processes,
      env,
      folder: this.agentsFolder,
      changed: (view) => {
        this.views.push(view)
        for (const wake of this.#waiting) wake()
      },
      begun: {
        read: () => this.begun,
        keep: (begun) => {
          this.begun = begun
        },
      },
      newId: (prefix) => `${prefix}_${(this.#made += 1)}`,
      now: Date.now,
      recipeOf: (agent) => (agent === 'codex' ? this.recipe : null),
      partsOf: () => more.parts ?? [],
      system: more.system ?? 'linux-x64',
    })
  }

  /** Starts, waits for its end, and gives the last that was shown. */
  async install(): Promise<InstallView> {
    this.installs.start('codex')
    await this.installs.settled()
    return this.now
  }

  get now(): InstallView {
    const { view } = this.installs
    if (!view) throw new Error('nothing was installed yet')
    return view
  }

  /** The states that were shown, each once, in their order. */
  get states(): InstallState[] {
    return this.views.map(({ state }) => state).filter((state, index, all) => state !== all[index - 1])
  }

  get calls(): NpmCall[] {
    const file = join(this.#npm, 'calls.jsonl')
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map((line) => JSON.parse(line)) : []
  }

  /** Resolves once what is shown is as wanted. */
  shown(wanted: (view: InstallView) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!this.installs.view || !wanted(this.installs.view)) return
        this.#waiting.delete(look)
        resolve()
      }
      this.#waiting.add(look)
      look()
    })
  }

  /** Puts a codex where PATH finds it. */
  putCodex(says: string) {
    this.#write(join(this.folder, 'bin', 'codex'), `#!${process.execPath}\nconsole.log(${JSON.stringify(says)})\n`)
  }

  async leave() {
    await this.installs.end()
    await this.processes.endAll()
    this.#awake.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }

  get #npm(): string {
    return join(this.folder, 'lib', 'node_modules', 'npm', 'bin')
  }

  #furnish(plan: Partial<NpmPlan>, withNpm: boolean) {
    for (const each of ['bin', 'home', 'elsewhere']) mkdirSync(join(this.folder, each), { recursive: true })
    // the real Node.js stands where no npm is beside it
    this.#write(join(this.folder, 'bin', 'node'), `#!/bin/sh\n${fakeNode}`)
    if (!withNpm) return
    mkdirSync(this.#npm, { recursive: true })
    const fake = pathToFileURL(join(import.meta.dirname, 'fake-npm.ts'))
    writeFileSync(join(this.#npm, 'npm-cli.js'), `import(${JSON.stringify(fake.href)})\n`)
    symlinkSync(join(this.#npm, 'npm-cli.js'), join(this.folder, 'bin', 'npm'))
    const whole: NpmPlan = {
      view: JSON.stringify(this.recipe.integrity),
      views: {},
      viewEnds: 0,
      viewHangs: false,
      archive,
      install: 'works',
      says: 'codex-cli 0.171.0',
      complains: '',
      ...plan,
    }
    writeFileSync(join(this.#npm, 'plan.json'), JSON.stringify(whole))
  }

  #write(file: string, text: string) {
    writeFileSync(file, text, { mode: 0o755 })
  }
}

/** A codex that is looked for in these folders only, whatever else is on this computer. */
class HouseCodex extends FakeAdapter {
  readonly #folders: readonly string[]

  constructor(folders: readonly string[]) {
    super(() => undefined, { kind: 'codex' })
    this.#folders = folders
  }

  override async detect(): Promise<Detection> {
    for (const folder of this.#folders) {
      const file = join(folder, 'codex')
      // one after the other: the first that answers is the one
      const end = await runOnce({ file, args: ['--version'], env: {}, atMostMs: 10_000 })
      const version = end.status === 'ended' ? (/^codex-cli (\S+)/.exec(end.stdout)?.[1] ?? null) : null
      if (version !== null) return { card: { ...found, version }, program: { file, before: [], version } }
    }
    return { card: { ...found, readiness: 'notInstalled', version: null }, program: null }
  }
}

const found = {
  readiness: 'needsLogin', evidence: null, stages: [], failure: null, remedy: null, checkedAt: 1,
} as const

/** Says that it is itself where it is asked for the program behind it. */
const fakeNode = `[ "$1" = -p ] && { echo "$0"; exit 0; }\nexec ${process.execPath} "$@"\n`
