import { AppError } from '../../shared/errors.ts'
import type { SecretsPort } from '../shell.ts'

/** The part of Electron's `safeStorage` that keeps secrets. */
interface SafeStorage {
  isEncryptionAvailable(): boolean
  /** On Linux only: which keyring was found. */
  getSelectedStorageBackend(): string
  encryptString(text: string): Buffer
  decryptString(kept: Buffer): string
}

/**
 * The operating system's protection. On Linux without a keyring the text would be hidden with a password that everyone
 * knows: that counts as none.
 */
export const protectionBy = (storage: SafeStorage, platform: NodeJS.Platform): SecretsPort => {
  const available = () =>
    storage.isEncryptionAvailable() &&
    (platform !== 'linux' || !['basic_text', 'unknown'].includes(storage.getSelectedStorageBackend()))
  const requireProtection = () => {
    if (available()) return
    throw new AppError('shell.unavailable', 'The operating system offers no protection for secrets, so none are kept.')
  }
  return {
    available,
    protect(secret) {
      requireProtection()
      return storage.encryptString(secret).toString('base64')
    },
    reveal(kept) {
      requireProtection()
      return storage.decryptString(Buffer.from(kept, 'base64'))
    },
  }
}
