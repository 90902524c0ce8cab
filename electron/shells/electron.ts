import { app, BrowserWindow, dialog, ipcMain, Notification, safeStorage, session, shell as desktop } from 'electron'
import ElectronStore from 'electron-store'
import type { Envelope } from '../../shared/ipc.ts'
import { defaultWindowPixels, smallestWindowPixels } from '../../shared/limits.ts'
import type { Notice } from '../../shared/notice.ts'
import type { Settings } from '../../shared/settings.ts'
import { openDoor } from '../door.ts'
import type { Log } from '../log.ts'
import { openPushFeed } from '../pushes.ts'
import type { Composition, ShellPort } from '../shell.ts'
import { callChannel, pushChannel, takenChannel } from './channels.ts'
import { noticeWords } from './notice-words.ts'
import { protectionBy } from './protection.ts'
import { quitQuestion, quitWishOf } from './quit-question.ts'
import { writePrivately } from './save-file.ts'
import type { OpenValuesFile } from './settings.ts'
import { mayLoad, mayNavigate, mayUsePermission, readLink, windowPreferences } from './window-rules.ts'

interface ElectronOptions {
  compose: (shell: ShellPort) => Composition
  /** The page's address and the preload's path. */
  files: { page: string; preload: string }
  log: Log
}

/** Opens the one window of the product and ends the process when the person is done. Needs a ready `app`. */
export const openElectronShell = async ({ compose, files, log }: ElectronOptions): Promise<void> => {
  let leaving = false
  const leave = (how: 'asked' | 'forced') => {
    if (leaving) return
    leaving = true
    void end(how)
  }
  const end = async (how: 'asked' | 'forced') => {
    try {
      await composition.quit(how)
    } catch (error) {
      log.error('shell.quit-failed', { error: error instanceof Error ? error.name : 'unknown' })
    }
    log.close()
    app.exit(0)
  }

  const composition = compose(shellOf(() => leave('asked')))
  await composition.start()
  lockSession(files.page)
  const window = makeWindow(files)
  const { handlers } = composition
  const door = openDoor({ handlers, pageUrl: files.page, mayServe: () => composition.mayServe(), log })
  ipcMain.handle(callChannel, (event, name: unknown, text: unknown) => {
    const frame = event.senderFrame
    const sender = {
      window: event.sender === window.webContents,
      mainFrame: frame !== null && frame === window.webContents.mainFrame,
      url: frame?.url ?? '',
    }
    return door.call(sender, name, text)
  })
  openPushFeed({
    source: (hear) => composition.onPush(hear),
    send: pushesInto(window),
    log,
  })

  window.on('close', (event) => {
    if (leaving) return
    event.preventDefault()
    void askToQuit(composition, window).catch(() => leave('forced'))
  })
  app.on('before-quit', (event) => {
    if (leaving) return
    event.preventDefault()
    window.close()
  })
  app.on('second-instance', () => bringForward(window))
  // the operating system's log-out, and Ctrl+C in the terminal that started it, cannot be asked
  window.on('session-end', () => leave('forced'))
  process.on('SIGINT', () => leave('forced'))
  process.on('SIGTERM', () => leave('forced'))

  await window.loadURL(files.page)
  window.show()
}

/** Electron's own file of preferences. */
export const openElectronStore: OpenValuesFile = ({ folder, name, read }) =>
  new ElectronStore<Settings>({ cwd: folder, name, deserialize: read, configFileMode: 0o600 })

const shellOf = (quit: () => void): ShellPort => ({
  kind: 'electron',
  async pickDirectory() {
    const { canceled, filePaths } = await dialog.showOpenDialog({ properties: ['openDirectory', 'createDirectory'] })
    return canceled ? null : (filePaths[0] ?? null)
  },
  async pickFile() {
    const { canceled, filePaths } = await dialog.showOpenDialog({ properties: ['openFile'] })
    return canceled ? null : (filePaths[0] ?? null)
  },
  async saveFile(name, text) {
    const { canceled, filePath } = await dialog.showSaveDialog({ defaultPath: name })
    if (canceled || filePath === '') return null
    await writePrivately(filePath, text)
    return filePath
  },
  openLink: async (url) => desktop.openExternal(readLink(url)),
  notify,
  quit,
  secrets: protectionBy(safeStorage, process.platform),
})

function makeWindow({ page, preload }: ElectronOptions['files']): BrowserWindow {
  const window = new BrowserWindow({
    ...defaultWindowPixels,
    minWidth: smallestWindowPixels.width,
    minHeight: smallestWindowPixels.height,
    show: false,
    title: 'Parley',
    autoHideMenuBar: true,
    webPreferences: windowPreferences(preload, page),
  })
  window.webContents.on('will-navigate', (event) => {
    if (!mayNavigate(event.url, page)) event.preventDefault()
  })
  window.webContents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame || !mayNavigate(event.url, page)) event.preventDefault()
  })
  window.webContents.on('will-attach-webview', (event) => event.preventDefault())
  window.webContents.setWindowOpenHandler(() => ({ action: 'deny' }))
  return window
}

/** Hands over a batch and waits until the page has taken it. A page that is being loaded anew takes nothing. */
function pushesInto(window: BrowserWindow) {
  let taken = () => {}
  ipcMain.on(takenChannel, (event) => {
    if (event.sender === window.webContents) taken()
  })
  window.webContents.on('did-start-loading', () => taken())
  window.webContents.on('did-stop-loading', () => taken())
  window.webContents.on('render-process-gone', () => taken())
  window.webContents.on('destroyed', () => taken())
  return async (envelopes: readonly Envelope[]) => {
    if (window.isDestroyed()) return
    const answer = Promise.withResolvers<void>()
    taken = answer.resolve
    window.webContents.send(pushChannel, envelopes)
    await answer.promise
  }
}

/** Nothing but the bundled page's own files is loaded, and no device is lent. */
function lockSession(page: string) {
  const own = session.defaultSession
  own.setPermissionRequestHandler((_contents, _permission, answer) => answer(mayUsePermission()))
  own.setPermissionCheckHandler(() => mayUsePermission())
  own.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !mayLoad(url, page) }))
  own.on('will-download', (event) => event.preventDefault())
}

/** Asks in the system's own dialog, which is there also where the page does not answer. */
async function askToQuit(composition: Composition, window: BrowserWindow) {
  const question = quitQuestion(composition.survey())
  const wish = question ? quitWishOf((await dialog.showMessageBox(window, question)).response) : 'now'
  composition.decideQuit(wish)
}

/** Tells of it by the system where no window of ours is in front; a click brings the window forward. */
function notify(notice: Notice) {
  const [window] = BrowserWindow.getAllWindows()
  if (!window || window.isFocused() || !Notification.isSupported()) return
  const notification = new Notification({ title: 'Parley', body: noticeWords[notice] })
  notification.on('click', () => bringForward(window))
  notification.show()
}

function bringForward(window: BrowserWindow) {
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}
