import { redactText, type Hidden } from '../../adapters/redact.ts'

/** What a file that leaves this machine must not tell. */
export interface Surroundings extends Hidden {
  /** Folders of this machine that have a word of their own, as `(working folder)`. */
  folders: readonly { path: string; word: string }[]
  /** The names at the root of the file system. */
  roots: readonly string[]
  /** Names of the person's account and of the machine. */
  names: readonly { name: string; word: string }[]
}

/**
 * Takes out of any text what belongs to this machine: secrets, then folders that are known, then the home folder, then
 * every other absolute path, then names. Words that stand for names can stand inside an id.
 */
export const scrubberOf = (around: Surroundings): Scrub => {
  const steps = [secretsOf(around), ...foldersOf(around), pathsOf(around.roots), ...namesOf(around)]
  return (text) => steps.reduce((soFar, step) => step(soFar), text)
}

export type Scrub = (text: string) => string

const secretsOf = ({ secrets }: Hidden): Scrub => (text) => redactText(text, { secrets, home: null })

/** The longest first: one may lie in another. */
const foldersOf = ({ folders, home }: Surroundings): Scrub[] => {
  const known = [...folders, ...(home ? [{ path: home, word: '~' }] : [])]
  return known
    .map(({ path, word }) => ({ path: path.replace(/[/\\]+$/, ''), word }))
    .filter(({ path }) => path.length > 1)
    .toSorted((one, other) => other.path.length - one.path.length)
    .map(({ path, word }) => {
      // a backslash may have been doubled on its way through JSON
      const spelled = path.split(/[/\\]+/).map(escaped).join('[/\\\\]+')
      const pattern = new RegExp(`(?:file:/{2,3})?(?<![\\w.~-])${spelled}(?![\\w-])`, 'g')
      return (text: string) => text.replace(pattern, word)
    })
}

const pathsOf = (roots: readonly string[]): Scrub => {
  const names = [...new Set([...usualRoots, ...roots])].filter((name) => name !== '').map(escaped).join('|')
  const unix = new RegExp(`(?:file:/{2,3})?(?<![\\w.~/-])/(?:${names})(?=[/\\s"'\`<>()\\[\\]{},;:!?]|$)${rest}`, 'g')
  const windows = new RegExp(`(?:file:/{2,3})?(?<![A-Za-z0-9])[A-Za-z]:[/\\\\]+(?=[\\w.~%$-])${rest}`, 'g')
  const share = new RegExp(`(?<![\\w\\\\:])\\\\{2,4}[\\w.-]+\\\\+[\\w.$-]+${rest}`, 'g')
  return (text) =>
    text
      .replace(unix, (found) => (found.endsWith('.') ? '(path).' : '(path)'))
      .replace(windows, '(path)')
      .replace(share, '(path)')
}

const rest = `[^\\s"'\`<>|*?;,)(\\]\\[}{]*`

const usualRoots = [
  'home', 'Users', 'root', 'tmp', 'var', 'usr', 'opt', 'etc', 'mnt', 'media', 'srv', 'private', 'Volumes', 'Library',
  'Applications', 'System', 'proc', 'sys', 'nix', 'snap', 'boot', 'bin', 'sbin', 'lib', 'lib64',
]

const namesOf = ({ names }: Surroundings): Scrub[] =>
  names
    .filter(({ name }) => name !== '')
    .map(({ name, word }) => {
      const pattern = name.length < nameMinCharacters || tellsNothing.has(name.toLowerCase())
        ? new RegExp(`(?<=[@/\\\\])${escaped(name)}(?![A-Za-z0-9])|(?<![A-Za-z0-9])${escaped(name)}(?=@)`, 'gi')
        : new RegExp(`(?<![A-Za-z0-9])${escaped(name)}(?![A-Za-z0-9])`, 'gi')
      return (text: string) => text.replace(pattern, word)
    })

const nameMinCharacters = 3

/** As short ones, names that everybody has or that are everyday words are taken out of addresses only. */
const tellsNothing = new Set([
  'root', 'user', 'admin', 'administrator', 'guest', 'dev', 'developer', 'test', 'ubuntu', 'debian', 'node', 'build',
  'localhost', 'local', 'host', 'server', 'desktop', 'laptop', 'main', 'default', 'docker', 'container', 'runner',
  'will', 'mark', 'grant', 'may', 'art', 'bill', 'rich', 'chase', 'hope', 'faith', 'joy', 'grace', 'dawn', 'rose',
  'max', 'rob', 'pat', 'sue', 'frank', 'drew', 'jack', 'miles', 'case', 'page', 'young', 'long', 'read', 'word',
])

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)
