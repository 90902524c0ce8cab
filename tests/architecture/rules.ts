import { exportsOf, importsOf, isCode, isTest, sideOf, type Import, type SourceFile } from './sources.ts'

/** Looks at the project's files and says, one sentence each, where they break the rule. */
export type Rule = (files: readonly SourceFile[]) => string[]

const mayImport: Record<string, readonly string[]> = {
  shared: [],
  machines: ['shared'],
  adapters: ['shared'],
  renderer: ['shared', 'machines'],
  electron: ['shared', 'machines', 'adapters'],
}

const packagesOf: Record<string, readonly string[]> = {
  shared: ['zod'],
  machines: ['xstate'],
  adapters: ['node:', 'execa', 'zod', '@agentclientprotocol/sdk'],
  renderer: ['react', 'react-dom', 'react-markdown', 'remark-gfm', '@xstate/react', 'xstate', 'zod'],
  electron: ['node:', 'conf', 'electron', 'electron-store', 'playwright-core', 'vite', 'xstate', 'zod'],
}

/** Development scripts that live beside what they make. */
const packagesOfScripts: Record<string, readonly string[]> = {
  'renderer/charts/lay-out.ts': ['node:', 'xstate'],
}

export const arrowsPointUpward: Rule = (files) =>
  eachImport(files.filter(isOnASide), (file, { target }) => {
    if (target === undefined) return undefined
    const [from, to] = [sideOf(file.path), sideOf(target)]
    return from === to || mayImport[from]?.includes(to) ? undefined : `imports ${target}`
  })

export const packagesStayOnTheirSide: Rule = (files) =>
  eachImport(files.filter(isOnASide), (file, { specifier, target }) => {
    if (target !== undefined) return undefined
    const allowed = packagesOfScripts[file.path] ?? packagesOf[sideOf(file.path)] ?? []
    return allowed.includes(packageOf(specifier)) ? undefined : `imports ${specifier}`
  })

export const nothingImportsTests: Rule = (files) =>
  eachImport(
    files.filter((file) => !isTest(file)),
    (_, { target }) => (target && sideOf(target) === 'tests' ? `imports ${target}` : undefined),
  )

export const importsNameFiles: Rule = (files) => {
  const known = new Set(files.map(({ path }) => path))
  return eachImport(files, (_, { specifier, target }) => {
    if (target === undefined || known.has(target) || target.endsWith('.png')) return undefined
    return `imports ${specifier}, which is not a file`
  })
}

export const zodIsImportedWhole: Rule = (files) =>
  eachImport(files, (_, { specifier, names, typeOnly }) =>
    specifier === 'zod' && names !== 'all' && !typeOnly ? "should say import * as z from 'zod'" : undefined,
  )

/** Says that some packages are imported in the named places only; a place that ends in a slash is a folder. */
export const importedOnlyIn =
  (packages: readonly string[], places: readonly string[], types: 'types too' | 'types anywhere'): Rule =>
  (files) =>
    eachImport(
      files.filter((file) => isOnASide(file) && !places.some((place) => isAt(file.path, place))),
      (_, { specifier, typeOnly }) =>
        packages.includes(specifier) && !(typeOnly && types === 'types anywhere') ? `imports ${specifier}` : undefined,
    )

/** Says that a word appears in the named files only. */
export const saidOnlyIn =
  (word: RegExp, places: readonly string[]): Rule =>
  (files) =>
    eachMatch(
      files.filter((file) => isOnASide(file) && !places.includes(file.path)),
      word,
    )

const worldly =
  /\b(?:Date\.now|new Date\(\)|Math\.random|performance\.now|crypto\.|setTimeout|setInterval|queueMicrotask|fetch\()/
const decisionKey = String.raw`\b(?:guard|actions|entry|exit)\s*:\s*\[?\s*`
const madeInPlace = String.raw`\(|async\b|function\b|\w+\s*=>`
const actionMakers = ['assign', 'raise', 'sendTo', 'emit', 'log', 'spawnChild', 'stopChild', 'enqueueActions']
const inlineDecision = new RegExp(`${decisionKey}(?:${madeInPlace}|(?:${actionMakers.join('|')})\\()`)
const delayed = /\bafter\s*:\s*\{|\bdelay\s*:/

export const machinesOnlyDecide: Rule = (files) => {
  const machines = files.filter((file) => isCode(file) && sideOf(file.path) === 'machines')
  return [worldly, inlineDecision, delayed].flatMap((pattern) => eachMatch(machines, pattern))
}

const mayExportByDefault = /(?:^|\/)[\w.-]+\.config\.ts$|^tests\/(?:agents\/table-)?reporter\.ts$/

export const exportsHaveNames: Rule = (files) =>
  eachMatch(
    files.filter((file) => isCode(file) && !mayExportByDefault.test(file.path)),
    /^export default\b|^export \{[^}]*\bas default\b/m,
  )

export const everyExportIsUsed: Rule = (files) => {
  const code = files.filter(isCode)
  const used = new Map<string, Set<string>>()
  const usedWhole = new Set<string>()
  for (const { target, names } of code.flatMap(importsOf)) {
    if (target === undefined) continue
    if (names === 'all') usedWhole.add(target)
    else used.set(target, new Set([...(used.get(target) ?? []), ...names]))
  }
  return code
    .filter(({ path }) => !usedWhole.has(path) && !mayExportByDefault.test(path))
    .flatMap((file) => exportsOf(file).map((name) => ({ path: file.path, name })))
    .filter(({ path, name }) => !used.get(path)?.has(name))
    .map(({ path, name }) => `${path}: exports ${name}, which nothing imports`)
}

const foreign = [
  /shared\/(?:design|transcripts)\b/,
  /(?<![\w.])\/(?:work|root)\//,
  /\bregistry\.[a-z]+\.(?:org|com)\b/,
]
const somebodysHome = /(?<![\w.])\/(?:home|Users)\/\w|\b[A-Z]:\\+Users\b/

export const theProjectStandsAlone: Rule = (files) => [
  ...foreign.flatMap((pattern) => files.flatMap((file) => linesMatching(file.path, file.text, pattern))),
  ...files.filter((file) => !isTest(file)).flatMap((file) => linesMatching(file.path, file.text, somebodysHome)),
]

const sides = ['electron', 'renderer', 'machines', 'adapters', 'shared', 'docs', 'tests']
const papers = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'package.json', 'package-lock.json']

/** Which of the names at the top of the project do not belong there. */
export const strangersAtTheTop = (names: readonly string[]) =>
  names.filter(
    (name) =>
      !sides.includes(name) &&
      !papers.includes(name) &&
      !name.startsWith('.') &&
      !/^tsconfig(?:\.\w+)?\.json$|^\w+\.config\.ts$/.test(name),
  )

const linesMax = { tests: 400, code: 300 }
const tooWide = /^.{121}/

export const filesStayShort: Rule = (files) =>
  files
    .filter((file) => isCode(file) || file.path.endsWith('.css'))
    .map((file) => ({ file, lines: file.text.trimEnd().split('\n').length }))
    .filter(({ file, lines }) => lines > linesMax[isTest(file) ? 'tests' : 'code'])
    .map(({ file, lines }) => `${file.path}: has ${lines} lines`)

export const linesStayShort: Rule = (files) =>
  files.filter(isCode).flatMap(({ path, text }) => linesMatching(path, text, tooWide))

export const codeNeedsNoSemicolons: Rule = (files) => eachMatch(files.filter(isCode), /;[ \t]*$/m)

export const fakesAreOurOwn: Rule = (files) =>
  eachMatch(
    files.filter((file) => isCode(file) && isTest(file)),
    /\bvi\.(?:mock|doMock|hoisted|stubGlobal)\(/,
  )

const isOnASide = (file: SourceFile) => isCode(file) && sideOf(file.path) in mayImport

const isAt = (path: string, place: string) => (place.endsWith('/') ? path.startsWith(place) : path === place)

function packageOf(specifier: string) {
  if (specifier.startsWith('node:')) return 'node:'
  return specifier.split('/').slice(0, specifier.startsWith('@') ? 2 : 1).join('/')
}

const eachImport = (files: readonly SourceFile[], judge: (file: SourceFile, found: Import) => string | undefined) =>
  files.filter(isCode).flatMap((file) =>
    importsOf(file).flatMap((found) => {
      const complaint = judge(file, found)
      return complaint === undefined ? [] : [`${file.path}: ${complaint}`]
    }),
  )

const eachMatch = (files: readonly SourceFile[], pattern: RegExp) =>
  files.flatMap(({ path, code }) => {
    const found = pattern.exec(code)
    return found ? [`${path}: says ${found[0].trim()}`] : []
  })

const linesMatching = (path: string, text: string, pattern: RegExp) =>
  text
    .split('\n')
    .map((line, index) => ({ line: line.trim().slice(0, 100), number: index + 1, matches: pattern.test(line) }))
    .filter(({ matches }) => matches)
    .map(({ line, number }) => `${path}:${number}: ${line}`)
