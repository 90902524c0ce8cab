import type { Computer } from './computer.ts'

/** How a file is started without a shell between. */
interface Start {
  file: string
  before: readonly string[]
  /** The script that Node runs, or `null` where it is no script of Node. */
  script: string | null
}

/**
 * How to start a file. On Windows the three kinds of start files that npm writes are read for the script behind
 * them; `null` for any other script of a shell, and for one that leads out of the packages it belongs to.
 */
export const startOf = async (computer: Computer, file: string, node: string | null): Promise<Start | null> => {
  if (computer.os !== 'win32') return { file, before: [], script: await unixScript(computer, file) }
  if (/\.(?:exe|com)$/i.test(file)) return { file, before: [], script: null }
  const target = targetOf(computer, file, await computer.head(file))
  if (target === null || !(await computer.isFile(target))) return null
  if (/\.exe$/i.test(target)) return { file: target, before: [], script: null }
  const beside = computer.path.join(computer.path.dirname(file), 'node.exe')
  const runner = (await computer.isFile(beside)) ? beside : node ?? 'node.exe'
  return { file: runner, before: [target], script: target }
}

/** The names under which a program may lie in a folder, those first that Windows itself would take first. */
export const namesOf = (computer: Computer, name: string, endings: string | undefined): string[] => {
  if (computer.os !== 'win32') return [name]
  const listed = (endings || usualEndings).split(';').filter((ending) => /^\.(?:com|exe|bat|cmd)$/i.test(ending.trim()))
  return [...listed.map((ending) => name + ending.trim().toLowerCase()), `${name}.ps1`, name]
}

const usualEndings = '.COM;.EXE;.BAT;.CMD'

/** What a start file of npm, pnpm or Yarn names as its target; `null` if that is outside of every package. */
const targetOf = ({ path }: Computer, file: string, text: string): string | null => {
  const named = namedIn(text)
  if (named === null || path.isAbsolute(named)) return null
  const folder = path.dirname(file)
  const target = path.join(folder, ...named.split(/[\\/]/))
  const isLocal = path.basename(folder) === '.bin' && path.basename(path.dirname(folder)) === 'node_modules'
  const root = isLocal ? path.dirname(folder) : folder
  if (!target.startsWith(root + path.sep)) return null
  const inside = target.slice(root.length).split(path.sep)
  return isLocal || inside.includes('node_modules') ? target : null
}

/** Both name their own `node` first, and what that is to run last. */
const namedIn = (text: string): string | null =>
  [...text.matchAll(/"(?:%~dp0|%dp0%|\$basedir)[\\/]?([^"%$]+\.(?:[cm]?js|exe))"/gi)]
    .flatMap(([, named]) => (named && !/(?:^|[\\/])node\.exe$/i.test(named) ? [named] : []))
    .at(-1) ?? null

/** A link to a script of Node says so in its first line; a start file of pnpm is a script of a shell that names it. */
const unixScript = async (computer: Computer, file: string): Promise<string | null> => {
  const head = await computer.head(file)
  if (/^#![^\n]*\bnode\b/.test(head)) return computer.real(file)
  if (!head.startsWith('#!') || !/\bexec\b[^\n]*\bnode\b/.test(head)) return null
  const named = namedIn(head)
  return named === null ? null : computer.real(computer.path.join(computer.path.dirname(file), named))
}
