import { AppError } from '../../shared/errors.ts'
import type { SecretsPort } from '../shell.ts'

const refuse = (): never => {
  throw new AppError('shell.unavailable', 'This window cannot protect secrets, so none are kept. Use the Electron one.')
}

/** For shells without the operating system's protection: nothing secret is kept, and never in plain text. */
export const noSecrets: SecretsPort = { available: () => false, protect: refuse, reveal: refuse }
