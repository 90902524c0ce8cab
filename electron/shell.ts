import type { AgentAdapter } from '../adapters/ports.ts'
import type { Processes } from '../adapters/process.ts'
import type { Handlers, Input, Push, PushName } from '../shared/ipc.ts'
import type { Notice } from '../shared/notice.ts'
import type { QuitSurvey, QuitWish } from '../shared/quit.ts'
import type { Around } from '../shared/steps.ts'
import type { Settings } from '../shared/settings.ts'
import type { AppState } from '../shared/view.ts'
import type { Log } from './log.ts'

/** What puts Parley in front of a person, and what only that can do. */
export interface ShellPort {
  readonly kind: AppState['shell']
  /** The folder that the person chose; `null` for none, or where this shell cannot ask: then it is typed in. */
  pickDirectory(): Promise<string | null>
  /** The file that the person chose, likewise. */
  pickFile(): Promise<string | null>
  /** Saves a text where the person says, or where this shell keeps such files; `null` if they thought better of it. */
  saveFile(name: string, text: string): Promise<string | null>
  /** Opens an https address in the person's own browser; throws `link.refused` for anything else. */
  openLink(url: string): Promise<void>
  /** Tells a person who does not look at the window; left out where the shell has no way to. */
  notify?(notice: Notice): void
  /** Begins to quit: the shell ends the composition, its window and the process. */
  quit(): void
  readonly secrets: SecretsPort
}

/** The operating system's own protection of secrets. Where there is none, nothing secret is kept. */
export interface SecretsPort {
  available(): boolean
  /** Gives text that only this person on this computer can turn back; throws `shell.unavailable` without protection. */
  protect(secret: string): string
  reveal(kept: string): string
}

/** Preferences, read and saved whole. */
export interface SettingsPort {
  read(): Settings
  /** Throws `ledger.unwritable`. */
  save(patch: Input<'settings.save'>['patch']): Settings
}

/** Everything behind the window, with no idea which shell shows it. */
export interface Composition {
  readonly handlers: Handlers
  /** Hears pushes as they are made, before they are numbered; gives back the way to stop. */
  onPush(hear: HearPush): () => void
  /** Opens the stores and restores work. Never throws for a bad store: it goes read-only, and the snapshot says so. */
  start(): Promise<void>
  /** Whether commands are taken: from the first possible snapshot until quitting begins. */
  mayServe(): boolean
  /** What quitting now would mean. */
  survey(): QuitSurvey
  /** Does as the person wishes; once it comes to quitting, `ShellPort.quit` is called, at once or later. */
  decideQuit(wish: QuitWish): AppState['quitting']
  /** Drains, ends every child process and closes the stores; repeated calls share one ending. */
  quit(how: 'asked' | 'forced'): Promise<void>
}

export type HearPush = <N extends PushName>(topic: N, body: Push<N>) => void

export interface ComposeOptions {
  dataFolder: string
  shell: ShellPort
  env: Readonly<Record<string, string | undefined>>
  settings: SettingsPort
  version: string
  log: Log
  /** The agents of this composition; all that this version knows unless said. */
  adapters?: (processes: Processes) => AgentAdapter[]
  /** Stands around each step beyond this process; see `Around`. */
  around?: Around
  /** Opens what is stored to look at it: no recovery, no process, no write. */
  readOnly?: boolean
}
