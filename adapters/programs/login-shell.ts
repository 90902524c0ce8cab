import { loginShellMs } from '../../shared/limits.ts'
import { childEnvironment, pathNameOf, type Env } from '../environment.ts'
import { thisComputer, type Computer } from './computer.ts'

/**
 * Asks the person's login shell, once, for PATH and for the names that agents may have: what their terminal has and
 * we, started from the desktop, have not.
 */
export class LoginShell {
  readonly #env: Env
  readonly #computer: Computer
  readonly #names = new Set(['PATH'])
  #asked: Promise<Record<string, string> | null> | null = null

  constructor(env: Env, computer: Computer = thisComputer) {
    this.#env = env
    this.#computer = computer
  }

  /** Adds names to those that it is asked for; nothing else that the shell exports is ever read. */
  wants(names: readonly string[]): void {
    const added = names.filter((name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !this.#names.has(name))
    for (const name of added) this.#names.add(name)
    if (added.length > 0) this.forget()
  }

  /** The wanted names that it exports; `null` where there is no such shell or it does not answer in time. */
  ask(): Promise<Record<string, string> | null> {
    this.#asked ??= this.#ask()
    return this.#asked
  }

  /** The next question is asked anew: the person may have changed their start-up files. */
  forget(): void {
    this.#asked = null
  }

  async #ask(): Promise<Record<string, string> | null> {
    const shell = this.#env.SHELL ?? this.#computer.shell
    if (this.#computer.os === 'win32' || !shell || !knownShells.has(this.#computer.path.basename(shell))) return null
    const names = [...this.#names]
    const end = await this.#computer.run({
      file: shell,
      args: ['-lic', scriptFor(names)],
      env: childEnvironment(this.#env, { names: [], values: quietly }),
      atMostMs: loginShellMs,
    })
    return end.status === 'ended' ? readAnswer(end.stdout, names) : null
  }
}

/** Says each name and its value between two marks, whatever else the start-up files print. */
const scriptFor = (names: readonly string[]): string =>
  [
    `printf '%s' '${mark}'`,
    ...names.map((name) => `printf '%s=%s\\0' ${name} "$${name}"`),
    `printf '%s' '${mark}'`,
  ].join('; ')

/** What was said between the marks, of what was asked for and nothing else; an empty value is none. */
const readAnswer = (printed: string, names: readonly string[]): Record<string, string> | null => {
  const said = printed.split(mark)[1]
  if (said === undefined || printed.split(mark).length < 3) return null
  const pairs = said.split('\0').map((pair): [string, string] => {
    const cut = pair.indexOf('=')
    return [pair.slice(0, cut), pair.slice(cut + 1)]
  })
  return Object.fromEntries(pairs.filter(([name, value]) => names.includes(name) && value !== ''))
}

/** The PATH of a terminal: the shell's own where it holds all of ours, else ours and what the shell adds. */
export const terminalPath = (computer: Computer, own: Env, shell: Env): string => {
  const split = (env: Env) => (env[pathNameOf(env)] ?? '').split(computer.path.delimiter).filter((each) => each !== '')
  const [ours, theirs] = [split(own), split(shell)]
  const added = theirs.filter((folder) => !ours.includes(folder))
  const holdsOurs = ours.every((folder) => theirs.includes(folder))
  return (holdsOurs && added.length > 0 ? theirs : [...ours, ...added]).join(computer.path.delimiter)
}

/** Nothing that opens or asks when a terminal opens may do so now. */
const quietly = { DISABLE_AUTO_UPDATE: 'true', ZSH_TMUX_AUTOSTART: 'false' }

const mark = '__parley_asks__'
const knownShells = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'fish'])
