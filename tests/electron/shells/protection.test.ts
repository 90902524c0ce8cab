import { expect, test } from 'vitest'
import { noSecrets } from '../../../electron/shells/no-secrets.ts'
import { protectionBy } from '../../../electron/shells/protection.ts'

const storage = (backend: string, there = true) => ({
  isEncryptionAvailable: () => there,
  getSelectedStorageBackend: () => backend,
  encryptString: (text: string) => Buffer.from([...text].toReversed().join('')),
  decryptString: (kept: Buffer) => [...kept.toString()].toReversed().join(''),
})

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
  if (protectedThen) return expect(secrets.reveal(secrets.protect('a secret'))).toBe('a secret')
  expect(() => secrets.protect('a secret')).toThrow(expect.objectContaining({ code: 'shell.unavailable' }))
  return expect(() => secrets.reveal('kept')).toThrow(expect.objectContaining({ code: 'shell.unavailable' }))
})

test('a shell without protection refuses to keep and to reveal', () => {
  expect(noSecrets.available()).toBe(false)
  for (const use of [() => noSecrets.protect('a secret'), () => noSecrets.reveal('kept')]) {
    expect(use).toThrow(expect.objectContaining({ code: 'shell.unavailable' }))
  }
})
