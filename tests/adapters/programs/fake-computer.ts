import { posix, win32 } from 'node:path'
import type { Computer } from '../../../adapters/programs/computer.ts'

interface Layout {
  os: NodeJS.Platform
  /** Every file, and its text. */
  files: Readonly<Record<string, string>>
  /** What a program prints, by its file and arguments; others cannot be started. */
  answers?: Readonly<Record<string, string>>
  shell?: string | null
}

/** A computer of any system that only exists in a test, with what was run on it. */
export const fakeComputer = ({ os, files, answers = {}, shell = null }: Layout) => {
  const path = os === 'win32' ? win32 : posix
  const ran: { file: string; args: readonly string[]; env: Readonly<Record<string, string>> }[] = []
  const has = async (file: string) => Object.hasOwn(files, file)
  const read = async (file: string) => files[file] ?? ''
  const computer: Computer = {
    os,
    path,
    shell,
    isFile: has,
    isProgram: has,
    head: read,
    read,
    real: async (file) => file,
    list: async (folder) => {
      const inside = Object.keys(files).filter((file) => file.startsWith(folder + path.sep))
      return [...new Set(inside.map((file) => file.slice(folder.length + 1).split(path.sep)[0] ?? ''))]
    },
    run: async ({ file, args, env }) => {
      ran.push({ file, args, env })
      const stdout = answers[[file, ...args].join(' ')]
      return stdout === undefined
        ? { status: 'failed', reason: 'missing' }
        : { status: 'ended', code: 0, stdout, stderr: '' }
    },
  }
  return { computer, ran }
}
