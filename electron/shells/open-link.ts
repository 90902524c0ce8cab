import { startApart } from '../../adapters/other-programs.ts'
import { AppError } from '../../shared/errors.ts'
import { openerFailsMs } from '../../shared/limits.ts'
import { readLink } from './window-rules.ts'

/** Opens an https address in the person's browser, by the desktop's own opener; throws `link.refused`. */
export const openInBrowser = async (text: string): Promise<void> => {
  const url = readLink(text)
  const [file, ...before] = openers[process.platform] ?? openers.linux
  if (await startApart({ file, args: [...before, url], env: process.env }, openerFailsMs)) return
  throw new AppError('link.refused', 'No browser could be opened from here. Copy the link instead.')
}

type Opener = readonly [string, ...string[]]

const openers: Partial<Record<NodeJS.Platform, Opener>> & { linux: Opener } = {
  linux: ['xdg-open'],
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}
