import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

/** One text file of the project. `code` is its text without comments and without what stands in template literals. */
export interface SourceFile {
  path: string
  text: string
  code: string
}

/** One import: what it names, from where, and whether it is gone after compilation. */
export interface Import {
  specifier: string
  /** The path of the imported file from the project's root, or undefined for a package. */
  target: string | undefined
  names: 'all' | string[]
  typeOnly: boolean
}

const root = join(import.meta.dirname, '..', '..')
const notOurs = new Set(['node_modules', 'dist', 'coverage', '.git', '.cache'])

/** The names at the top of the project that are kept in it. */
export const topLevel = () => readdirSync(root).filter((name) => !notOurs.has(name) && !name.endsWith('.log'))

/** Every text file of the project. */
export const readProject = (): SourceFile[] =>
  filesUnder('').map((path) => sourceFile(path, readFileSync(join(root, path), 'utf8')))

/** A file as the rules see it. */
export const sourceFile = (path: string, text: string): SourceFile => ({ path, text, code: codeOf(text) })

/** The first part of a path: the side of the app that a file is on. */
export const sideOf = (path: string) => path.split('/')[0] ?? ''

export const isCode = ({ path }: SourceFile) => /\.(ts|tsx|mjs)$/.test(path) && !path.startsWith('tests/fixtures/')

export const isTest = ({ path }: SourceFile) => sideOf(path) === 'tests'

/** What a file imports or exports again. */
export function importsOf({ path, code }: SourceFile): Import[] {
  const from = (specifier: string, names: Import['names'], typeOnly = false): Import => ({
    specifier,
    target: specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : undefined,
    names,
    typeOnly,
  })
  return [
    ...[...code.matchAll(/^\s*(?:import|export)\s+(type\s+)?([\w$*\s{},]+?)\s+from\s+'([^']+)'/gm)].map(
      ([, type, clause = '', specifier = '']) => from(specifier, namesIn(clause), type !== undefined),
    ),
    ...[...code.matchAll(/^\s*import\s+'([^']+)'/gm)].map(([, specifier = '']) => from(specifier, [])),
    ...[...code.matchAll(/\bimport\(\s*'([^']+)'\s*\)/g)].map(([, specifier = '']) => from(specifier, 'all')),
  ]
}

/** The names that a file exports itself. */
export function exportsOf({ code }: SourceFile): string[] {
  const declared = code.matchAll(
    /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) ([\w$]+)/gm,
  )
  const listed = code.matchAll(/^export (?:type )?\{([^}]*)\}(?!\s*from)/gm)
  const outsideName = (item: string) => item.split(/\s+as\s+/).at(-1)?.trim() ?? ''
  const names = [
    ...[...declared].map(([, name = '']) => name),
    ...[...listed].flatMap(([, list = '']) => list.split(',').map(outsideName)),
  ]
  return [...new Set(names.filter(Boolean))]
}

function filesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name)
    if (notOurs.has(entry.name)) return []
    if (entry.isDirectory()) return filesUnder(path)
    return isText(path) ? [path] : []
  })
}

const textEndings = /\.(?:ts|tsx|mjs|css|html|svg|json|jsonl|md|txt|yml|yaml|sh)$/

const isText = (path: string) => textEndings.test(path) || dirname(path) === '.ci' || /^\.\w+$/.test(path)

/** Drops comments, keeps plain strings, empties template literals. */
const codeOf = (text: string) =>
  text.replace(
    /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|`(?:\\.|[^`\\])*`|\/\/.*|\/\*[\s\S]*?\*\//g,
    (found, plain?: string) => plain ?? (found.startsWith('`') ? '``' : ''),
  )

function namesIn(clause: string): Import['names'] {
  if (clause.includes('*')) return 'all'
  const list = /\{([^}]*)\}/.exec(clause)?.[1] ?? ''
  return list
    .split(',')
    .map((item) => item.trim().replace(/^type\s+/, '').split(/\s+as\s+/)[0] ?? '')
    .filter(Boolean)
}
