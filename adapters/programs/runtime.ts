import * as z from 'zod'
import { nodesAskedMax, versionProbeMs } from '../../shared/limits.ts'
import { homeOf, type Env } from '../environment.ts'
import type { Computer } from './computer.ts'
import { isInRange } from './node-range.ts'
import { foldersOnPath, nodeVersionPlaces } from './places.ts'
import { cleanVersion } from './versions.ts'

/** What a program needs to run, and whether that is here. */
export interface Runtime {
  outcome: 'yes' | 'no' | 'unknown'
  /** One sentence, without a path. */
  how: string
  /** The npm package that it comes in, where that can be told. */
  packageName: string | null
  /** The folder of the Node that should run it, if it needs one. */
  nodeFolder: string | null
  /** The one command that mends it. */
  remedy: string | null
}

/** What a script of Node asks for by its package's own `engines`, against the Node that would run it. */
export const runtimeOf = async (
  computer: Computer,
  env: Env,
  program: { script: string | null; path: string },
): Promise<Runtime> => {
  if (program.script === null) return { ...nothing, outcome: 'yes', how: 'It needs nothing else to run.' }
  const { name, range } = await packageOf(computer, program.script)
  const nodes = await nodesFor(computer, env, program.path)
  const remedy = await remedyFor(computer, env, range)
  const known = { ...nothing, packageName: name }
  if (nodes.length === 0) return { ...known, outcome: 'no', how: `It needs Node${asked(range)}; none is here.`, remedy }
  let first: { folder: string; version: string | null } | null = null
  for (const { folder } of nodes) {
    const version = await versionOfNode(computer, folder)
    first ??= { folder, version }
    if (version === null) continue
    if (range === null) return { ...known, outcome: 'yes', how: `Runs on Node ${version}.`, nodeFolder: folder }
    const fits = isInRange(version, range)
    if (fits === false) continue
    const how = fits ? `Runs on Node ${version}; it asks for ${range}.` : `Runs on Node ${version}.`
    return { ...known, outcome: fits ? 'yes' : 'unknown', how, nodeFolder: folder }
  }
  const nodeFolder = first?.folder ?? null
  if (!first?.version) return { ...known, outcome: 'unknown', how: 'Node did not say its version.', nodeFolder }
  return { ...known, outcome: 'no', how: `It needs Node${asked(range)}; here is ${first.version}.`, nodeFolder, remedy }
}

const nothing = { packageName: null, nodeFolder: null, remedy: null } as const

const asked = (range: string | null) => (range === null ? '' : ` ${range}`)

/** The package around a script: the nearest `package.json` above it that has a name. */
const packageOf = async (computer: Computer, script: string) => {
  let folder = computer.path.dirname(script)
  for (let level = 0; level < packageLevelsMax; level += 1) {
    const { name, engines } = readPackage(await computer.read(computer.path.join(folder, 'package.json')))
    if (name !== null) return { name, range: engines }
    folder = computer.path.dirname(folder)
  }
  return { name: null, range: null }
}

const packageLevelsMax = 5

/** What is shown to a person: a short name, and a range that is a range. */
const Package = z.object({
  name: z.string().max(100),
  engines: z
    .object({ node: z.string().regex(/^[\d.\sxv*<>=|^~-]{1,60}$/i).nullish().catch(null) })
    .nullish()
    .catch(null),
})

const readPackage = (text: string): { name: string | null; engines: string | null } => {
  try {
    const { name, engines } = Package.parse(JSON.parse(text))
    return { name, engines: engines?.node?.trim() ?? null }
  } catch {
    return { name: null, engines: null }
  }
}

/** Every Node that could run it: those on its PATH in order, then those of version managers. */
const nodesFor = async (computer: Computer, env: Env, path: string) => {
  const places = [...foldersOnPath(computer, path, 'PATH'), ...(await nodeVersionPlaces(computer, env))]
  const there = await Promise.all(places.map((place) => computer.isProgram(nodeIn(computer, place.folder))))
  const found = places.filter((_, index) => there[index])
  return found.filter(({ folder }, index) => found.findIndex((each) => each.folder === folder) === index)
    .slice(0, nodesAskedMax)
}

export const nodeIn = (computer: Computer, folder: string): string =>
  computer.path.join(folder, computer.os === 'win32' ? 'node.exe' : 'node')

const versionOfNode = async (computer: Computer, folder: string): Promise<string | null> => {
  const file = nodeIn(computer, folder)
  // this very program needs not be asked
  if (!process.versions.electron && (await computer.real(file)) === process.execPath) return process.versions.node
  const end = await computer.run({ file, args: ['--version'], env: {}, atMostMs: versionProbeMs })
  return end.status === 'ended' && end.code === 0 ? cleanVersion(end.stdout) : null
}

/** The command of whichever version manager is here; else npm's own package of Node. */
const remedyFor = async (computer: Computer, env: Env, range: string | null): Promise<string> => {
  const major = [24, 26, 22, 20].find((each) => range === null || isInRange(`${each}.999.0`, range)) ?? 24
  if (computer.os === 'win32') return 'winget install OpenJS.NodeJS.LTS'
  const { join } = computer.path
  const home = homeOf(env)
  const managers: [string, string][] = [
    [env.NVM_DIR ?? join(home, '.nvm'), `nvm install ${major}`],
    [env.FNM_DIR ?? join(home, '.local/share/fnm'), `fnm install ${major}`],
    [env.VOLTA_HOME ?? join(home, '.volta'), `volta install node@${major}`],
    [env.MISE_DATA_DIR ?? join(home, '.local/share/mise'), `mise use -g node@${major}`],
    [env.ASDF_DATA_DIR ?? join(home, '.asdf'), `asdf install nodejs latest:${major}`],
    ['/opt/homebrew/bin', `brew install node@${major}`],
  ]
  for (const [folder, command] of managers) if ((await computer.list(folder)).length > 0) return command
  return `npm install -g node@${major}`
}
