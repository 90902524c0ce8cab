import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { SecretsPort } from '../../electron/shell.ts'

/** A keyring of a system that does not exist: it protects for real, and can be taken away or broken. */
export class FakeKeyring implements SecretsPort {
  isThere = true
  /** What it kept cannot be turned back any more. */
  broken = false
  /** How often it was touched at all. */
  asked = 0
  readonly #password = randomBytes(32)

  available(): boolean {
    this.asked += 1
    return this.isThere
  }

  protect(secret: string): string {
    this.#touch()
    const start = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', this.#password, start)
    const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
    return Buffer.concat([start, cipher.getAuthTag(), text]).toString('base64')
  }

  reveal(kept: string): string {
    this.#touch()
    const bytes = Buffer.from(kept, 'base64')
    const decipher = createDecipheriv('aes-256-gcm', this.#password, bytes.subarray(0, 12))
    decipher.setAuthTag(bytes.subarray(12, 28))
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
  }

  #touch() {
    this.asked += 1
    if (!this.isThere || this.broken) throw new Error('The keyring is locked.')
  }
}
