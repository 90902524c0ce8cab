/** Plays npm as a real process: does what the plan beside it says, and notes how it was called. */
import { spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface NpmPlan {
  /** What `view` prints, as it is. */
  view: string
  /** What it prints for one package in particular, by name and version. */
  views: Record<string, string>
  viewEnds: number
  /** What `view` waits for instead of ending: nothing, for ever. */
  viewHangs: boolean
  /** What the archive holds that `pack` fetches. */
  archive: string
  install: 'works' | 'fails' | 'hangs'
  /** What the installed program says to `--version`. */
  says: string
  /** Printed to stderr by `install`, with what it has for `$HOME`. */
  complains: string
}

export interface NpmCall {
  args: string[]
  cwd: string
  env: Record<string, string>
  pid: number
}

const folder = dirname(process.argv[1] ?? '')
const args = process.argv.slice(2)
const plan: NpmPlan = JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8'))

const call = { args, cwd: process.cwd(), env: process.env, pid: process.pid }
appendFileSync(join(folder, 'calls.jsonl'), `${JSON.stringify(call)}\n`)

const after = (name: string): string => args[args.indexOf(name) + 1] ?? ''

const hang = () => {
  process.on('SIGTERM', () => console.error('npm heard SIGTERM'))
  setInterval(() => undefined, 1_000)
}

const view = () => {
  if (plan.viewHangs) return hang()
  process.stdout.write(plan.views[args[1] ?? ''] ?? plan.view)
  process.exitCode = plan.viewEnds
}

const pack = () => {
  console.error('npm http fetch GET 200 https://packages.example/fake/-/fake-1.0.0.tgz 12ms (cache miss)')
  writeFileSync(join(after('--pack-destination'), 'fake-1.0.0.tgz'), plan.archive)
}

const install = () => {
  const place = process.platform === 'win32' ? after('--prefix') : join(after('--prefix'), 'bin')
  mkdirSync(place, { recursive: true })
  const script = `#!${process.execPath}\nconsole.log(${JSON.stringify(plan.says)})\n`
  writeFileSync(join(place, 'codex'), script, { mode: 0o755 })
  console.error(plan.complains.replace('$HOME', process.env.HOME ?? ''))
  if (plan.install === 'hangs') {
    const stubborn = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'
    spawn(process.execPath, ['-e', stubborn], { stdio: 'ignore' })
    console.error('npm hangs now')
    return hang()
  }
  console.log('added 1 package in 1s')
  if (plan.install === 'fails') {
    console.error('npm error code ELIFECYCLE')
    process.exitCode = 1
  }
}

const commands: Record<string, () => void> = { view, pack, install }
commands[args[0] ?? '']?.()
