import { expect, test } from 'vitest'
import { noSecrets } from '../../../electron/shells/no-secrets.ts'
import { protectionBy } from '../../../electron/shells/protection.ts'

const storage = (backend: string, there = true) => ({
  isEncryptionAvailable: () => there,
  getSelectedStorageBackend: () => backend,
  encryptString: (text: string) => Buffer.from(text, 'utf8').map((byte) => byte ^ 7) as Buffer,
  decryptString: (kept: Buffer) => Buffer.from(kept.map((byte) => byte ^ 7)).toString(),
})

const comesOf = (work: () => string) => {
  try {
    return work()
  } catch (error) {
    return (error as { code?: string }).code
  }
}

test.each([
  ['linux', 'gnome_libsecret', true, true],
  ['linux', 'kwallet6', true, true],
  ['linux', 'basic_text', true, false],
  ['linux', 'unknown', true, false],
  ['linux', 'gnome_libsecret', false, false],
  ['darwin', 'unknown', true, true],
  ['win32', 'unknown', false, false],
] as const)('on %s with %s (there: %s) a secret is protected: %s', (platform, backend, there, protectedThen) => {
  const secrets = protectionBy(storage(backend, there), platform)
  expect(secrets.available()).toBe(protectedThen)
  const revealed = protectedThen ? 'a secret' : 'shell.unavailable'
  expect(comesOf(() => secrets.reveal(secrets.protect('a secret')))).toBe(revealed)
})

test('a shell without protection refuses to keep and to reveal', () => {
  expect(noSecrets.available()).toBe(false)
  for (const use of [() => noSecrets.protect('a secret'), () => noSecrets.reveal('kept')]) {
    expect(use).toThrow(expect.objectContaining({ code: 'shell.unavailable' }))
  }
})
