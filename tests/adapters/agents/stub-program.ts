import { execFile } from 'node:child_process'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A home with an empty PATH, so that nothing of this computer is found. */
export const emptyHome = async () => {
  const home = await mkdtemp(join(tmpdir(), 'parley-home-'))
  const path = join(home, 'path')
  await mkdir(path)
  return { home, path, env: { HOME: home, PATH: path, SHELL: '/bin/false' } as Record<string, string> }
}

/**
 * Puts a program that is this script of a shell, with nothing but what the shell itself can do. Another process writes
 * it: what a test beside this one starts meanwhile would hold a file of ours open, and then it cannot be run.
 */
export const put = async (folder: string, name: string, script: string) => {
  await mkdir(folder, { recursive: true })
  const file = join(folder, name)
  const write = 'printf "%s" "$2" > "$1" && chmod 755 "$1"'
  await promisify(execFile)('/bin/sh', ['-c', write, 'sh', file, `#!/bin/sh\n${script}\n`])
  return file
}

interface Said {
  version?: string
  /** Whether it offers what Parley speaks; it does unless said. */
  offers?: boolean
  /** What its status command does, as a script. */
  status?: string
}

/** Puts something that answers the questions of detection as Codex does. */
export const putCodex = (folder: string, { version = 'codex-cli 0.171.0', offers = true, status = '' }: Said = {}) =>
  put(
    folder,
    'codex',
    `case "$*" in
--version) printf '%s\\n' '${version}' ;;
'app-server --help') ${offers ? 'echo "Usage: codex app-server"' : 'echo "unrecognized subcommand" >&2; exit 2'} ;;
'login status') ${status || 'exit 3'} ;;
*) exit 9 ;;
esac`,
  )

/** Puts something that answers the questions of detection as Claude Code does. */
export const putClaude = (folder: string, { version = '2.1.332 (Claude Code)', status = '' }: Said = {}) =>
  put(
    folder,
    'claude',
    `case "$*" in
--version) printf '%s\\n' '${version}' ;;
--help) echo '  --input-format <format>' ;;
'auth status') ${status || 'exit 3'} ;;
*) exit 9 ;;
esac`,
  )
