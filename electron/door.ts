import { isCommandName } from '../shared/command-names.ts'
import { AppError, toFailure } from '../shared/errors.ts'
import { commands, type CommandName, type Handlers, type Reply } from '../shared/ipc.ts'
import { commandMaxBytes, imageCommandMaxBytes, runFileCommandMaxBytes } from '../shared/limits.ts'
import type { Log } from './log.ts'

/** Who calls, as the shell saw it. Nothing behind the door ever sees this. */
export interface Sender {
  /** Whether it is the one window. */
  window: boolean
  mainFrame: boolean
  url: string
}

interface Door {
  /** Serves one call; never throws. `text` is the input as JSON, so that its size is known before it is read. */
  call(sender: Sender, name: unknown, text: unknown): Promise<Reply<unknown>>
}

interface DoorOptions {
  handlers: Handlers
  /** The address of the bundled page; a hash may follow it, nothing else. */
  pageUrl: string
  mayServe: () => boolean
  log: Log
}

/** Opens the one door between the window and main. */
export const openDoor = ({ handlers, pageUrl, mayServe, log }: DoorOptions): Door => {
  const serve = async (sender: Sender, name: unknown, text: unknown) => {
    refuseStranger(sender, pageUrl)
    refuseOversize(text, maxBytesOf(name))
    if (!isCommandName(name)) throw new AppError('ipc.unknown-command', 'There is no such command.')
    if (!mayServe()) throw new AppError('app.shutting-down', 'Parley is closing. Open it again to go on.')
    return answer(handlers, name, readInput(name, text))
  }
  return {
    async call(sender, name, text) {
      const startedAt = performance.now()
      try {
        return { ok: true, value: await serve(sender, name, text) }
      } catch (error) {
        const failure = toFailure(error)
        log.warn(failure.code, {
          command: isCommandName(name) ? name : 'unknown',
          tookMs: Math.round(performance.now() - startedAt),
          ...kindOfError(error),
        })
        return { ok: false, failure }
      }
    },
  }
}

/** Whether an address is the bundled page itself, wherever in it. */
export const isPage = (url: string, pageUrl: string) => url.split('#')[0] === pageUrl

function refuseStranger({ window, mainFrame, url }: Sender, pageUrl: string) {
  if (window && mainFrame && isPage(url, pageUrl)) return
  throw new AppError('ipc.untrusted-sender', 'This page may not do that.')
}

/** Files come through the door as they are. */
const maxBytesOf = (name: unknown): number => {
  if (name === 'image.add') return imageCommandMaxBytes
  return name === 'import.preview' || name === 'import.keep' ? runFileCommandMaxBytes : commandMaxBytes
}

function refuseOversize(text: unknown, maxBytes: number): asserts text is string {
  if (typeof text !== 'string') throw new AppError('ipc.bad-input', 'The request was malformed.')
  // a character is at least one byte, so a long text need not be measured
  if (text.length <= maxBytes && Buffer.byteLength(text) <= maxBytes) return
  throw new AppError('ipc.too-large', 'That is more than can be sent at once.', {
    params: { maxBytes },
  })
}

function readInput(name: CommandName, text: string): unknown {
  const input = commands[name].input.safeParse(parsed(text))
  if (input.success) return input.data
  throw new AppError('ipc.bad-input', 'The request was malformed.', { cause: input.error })
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new AppError('ipc.bad-input', 'The request was malformed.', { cause: error })
  }
}

/** Output schemas strip what they do not name, so a handler cannot leak by accident. */
async function answer(handlers: Handlers, name: CommandName, input: unknown): Promise<unknown> {
  // the type of one entry's input cannot be followed through a union of names; `readInput` parsed it by that entry
  const handle = handlers[name] as (input: unknown) => Promise<unknown>
  return commands[name].output.parse(await handle(input))
}

/** What the log may know of an error that is not ours: its class and, for the system's own, its short code. */
const kindOfError = (error: unknown) => {
  if (!(error instanceof Error) || error instanceof AppError) return {}
  return { error: error.name, ...('code' in error && typeof error.code === 'string' ? { errno: error.code } : {}) }
}
