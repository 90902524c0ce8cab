import { installLogLineMaxCharacters } from '../../shared/limits.ts'
import { AppError } from '../../shared/errors.ts'
import { LineReader } from '../lines.ts'
import { redactText, type Hidden } from '../redact.ts'
import { stripTerminalCodes } from '../terminal-codes.ts'

/** What `npm view … dist.integrity --json` printed, as the one hash that it must be. Throws `install.unverified`. */
export const readIntegrity = (stdout: string): string => {
  const told = parsed(stdout)
  if (typeof told === 'string' && sha512.test(told)) return told
  throw new AppError('install.unverified', 'The registry did not say what this package must hash to.')
}

/** Why npm ended with a failure, as far as its words tell. */
export const readNpmFailure = (stdout: string, stderr: string): AppError => {
  const told = parsed(stdout)
  const word = isObject(told) && isObject(told['error']) ? told['error']['code'] : null
  const code = shortWord(word) || shortWord(/npm (?:error|ERR!) code (\S+)/.exec(stderr)?.[1])
  if (unreachable.test(code)) return new AppError('install.unreachable', 'npm could not reach the registry.')
  return new AppError('install.npm-failed', 'npm ended with a failure.', code === '' ? {} : { params: { code } })
}

/** Whether a line of npm tells that one more package has come. */
export const tellsOfPackage = (line: string): boolean => /^npm http fetch GET 200 \S+\.tgz\b/.test(line)

/** Hears bytes and gives lines that a person may read: without secrets, terminal codes and endless words. */
export const readableLines = (hidden: Hidden, say: (line: string) => void) =>
  new LineReader({
    line: (text) => {
      const clean = redactText(stripTerminalCodes(text), hidden).trim()
      if (clean !== '') say(clean.slice(0, installLogLineMaxCharacters))
    },
    omitted: ({ bytes }) => say(`… ${bytes} bytes in one line …`),
  })

const sha512 = /^sha512-[A-Za-z0-9+/]{86}==$/
/** No way to it, no answer, or a certificate on the way that nobody vouches for. */
const unreachable =
  /^(?:ENOTFOUND|ECONN\w+|E?TIMEDOUT|EAI_AGAIN|E\w+UNREACH|ERR_SOCKET_TIMEOUT|E50\d|EPROTO|\w*CERT\w*|UNABLE_TO_\w+)$/

const shortWord = (word: unknown): string => (typeof word === 'string' && /^\w{1,40}$/.test(word) ? word : '')

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
