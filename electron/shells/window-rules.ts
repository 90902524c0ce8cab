import { AppError } from '../../shared/errors.ts'
import { isPage } from '../door.ts'
import { pageSwitch } from './channels.ts'

/** What a page may not have, whatever it asks for. */
const lockedPreferences = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webviewTag: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  navigateOnDragDrop: false,
  safeDialogs: true,
  spellcheck: false,
} as const

/** The preferences of the one window. */
export const windowPreferences = (preload: string, pageUrl: string) => ({
  ...lockedPreferences,
  preload,
  additionalArguments: [`${pageSwitch}${pageUrl}`],
})

/** Whether the window may go there: only to places inside its own page. */
export const mayNavigate = (target: string, pageUrl: string) => isPage(target, pageUrl)

/** Whether the page may load this: only what lies in its own folder, and pictures that are in its text. */
export const mayLoad = (target: string, pageUrl: string) =>
  target.startsWith(new URL('.', pageUrl).href) || target.startsWith('data:')

/** No page needs a camera, a place, a notification or any other device. */
export const mayUsePermission = () => false

/** Reads an address that may be opened in the person's browser: https, without a name or password in it. */
export const readLink = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url && url.protocol === 'https:' && url.username === '' && url.password === '') return url.href
  throw new AppError('link.refused', 'Only https links without a name or password in them are opened.')
}
