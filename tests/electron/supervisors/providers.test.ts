import { describe, expect, test } from 'vitest'
import { Providers } from '../../../electron/supervisors/providers.ts'
import type { ProviderDraft } from '../../../shared/provider.ts'
import { FakeKeyring } from '../../fakes/keyring.ts'
import { freshStores } from '../stores/fresh.ts'

const key = 'qz-canary-0123456789'
const draft = (more: Partial<ProviderDraft> = {}): ProviderDraft => ({
  profileId: null, kind: 'codex', preset: null, name: 'Gateway', baseUrl: 'https://gateway.example', model: null,
  key: { how: 'set', key }, ...more,
})

const someProviders = () => {
  const stores = freshStores()
  const keyring = new FakeKeyring()
  const moved: string[][] = []
  let made = 0
  const providers = new Providers({
    stores: () => stores,
    secrets: keyring,
    changed: (kinds) => moved.push([...kinds]),
    newId: (prefix) => `${prefix}-${(made += 1)}`,
    now: () => made,
  })
  return { stores, keyring, moved, providers }
}
const coded = (code: string) => expect.objectContaining({ code })

describe('a key', () => {
  test('goes to the agent that works with it, and to nobody else', () => {
    const { providers, stores } = someProviders()
    const { profileId } = providers.save(draft())
    expect(providers.accessFor('codex')).toBe(null)
    providers.activate('codex', profileId)
    expect(providers.accessFor('codex')).toEqual({ baseUrl: 'https://gateway.example/v1', model: null, key })
    expect([providers.accessFor('claude'), providers.accessFor('rehearsal')]).toEqual([null, null])
    expect(JSON.stringify([providers.list(), stores.providers.list()])).not.toContain(key)
  })

  test('is stored only as the system protected it', () => {
    const { providers, stores } = someProviders()
    const { profileId } = providers.save(draft())
    expect(stores.providers.protectedKey(profileId)).not.toContain(key)
  })

  test.each(['there is no protection', 'protection fails', 'protection gives the text back', 'it gives nothing'])(
    'is refused where %s, and nothing is written',
    (how) => {
      const { providers, keyring, moved } = someProviders()
      if (how === 'there is no protection') keyring.isThere = false
      if (how === 'protection fails') keyring.broken = true
      if (how === 'protection gives the text back') keyring.protect = (text) => `v1:${text}`
      if (how === 'it gives nothing') keyring.protect = () => ''
      expect(() => providers.save(draft())).toThrow(coded('provider.key-unkept'))
      expect([providers.list(), moved]).toEqual([[], []])
    },
  )

  test('that can no longer be read stops the agent, is said, and can be deleted or given again', () => {
    const { providers, keyring } = someProviders()
    const one = providers.save(draft())
    const two = providers.save(draft())
    providers.activate('codex', one.profileId)
    keyring.broken = true
    expect(() => providers.accessFor('codex')).toThrow(coded('provider.key-unreadable'))
    expect(() => providers.test(one.profileId)).toThrow(coded('provider.key-unreadable'))
    expect(providers.list().map(({ keyUnreadable }) => keyUnreadable)).toEqual([true, false])
    keyring.isThere = false
    providers.remove(two.profileId)
    keyring.isThere = true
    keyring.broken = false
    expect(providers.save(draft({ profileId: one.profileId })).keyUnreadable).toBe(false)
    expect(providers.accessFor('codex')?.key).toBe(key)
  })

  test('that was tampered with is not used', () => {
    const { providers, stores } = someProviders()
    const profile = providers.save(draft())
    providers.activate('codex', profile.profileId)
    stores.providers.put({ ...profile, active: true }, Buffer.from('x'.repeat(60)).toString('base64'))
    expect(() => providers.accessFor('codex')).toThrow(coded('provider.key-unreadable'))
  })

  test('stays when a profile is changed, but not for another address', () => {
    const { providers } = someProviders()
    const { profileId } = providers.save(draft())
    providers.activate('codex', profileId)
    const renamed = providers.save(draft({ profileId, name: 'Other', key: { how: 'keep' } }))
    expect([renamed.name, renamed.active, providers.accessFor('codex')?.key]).toEqual(['Other', true, key])
    const moved = draft({ profileId, baseUrl: 'https://other.example', key: { how: 'keep' } })
    expect(() => providers.save(moved)).toThrow(coded('provider.key-needed'))
    expect(providers.save({ ...moved, key: { how: 'none' } }).hasKey).toBe(false)
  })

  test('is not asked for to show the list, to choose or to remove', () => {
    const { providers, keyring } = someProviders()
    const { profileId } = providers.save(draft())
    const before = keyring.asked
    providers.list()
    providers.activate('codex', profileId)
    providers.nameFor('codex')
    providers.remove(profileId)
    expect(keyring.asked).toBe(before)
  })
})

test('a provider without a key is kept where no key could be', () => {
  const { providers, keyring } = someProviders()
  keyring.isThere = false
  const { profileId, hasKey } = providers.save(draft({ baseUrl: 'http://127.0.0.1:11434', key: { how: 'none' } }))
  providers.activate('codex', profileId)
  expect([hasKey, providers.accessFor('codex')]).toEqual([
    false, { baseUrl: 'http://127.0.0.1:11434/v1', model: null, key: null },
  ])
})

test('a profile of another agent is refused with one code', () => {
  const { providers } = someProviders()
  const { profileId } = providers.save(draft())
  expect(() => providers.activate('claude', profileId)).toThrow(coded('provider.wrong-kind'))
  expect(() => providers.activate('rehearsal', profileId)).toThrow(coded('provider.wrong-kind'))
  expect(() => providers.save(draft({ profileId, kind: 'claude' }))).toThrow(coded('provider.wrong-kind'))
  expect(() => providers.save(draft({ kind: 'amp' }))).toThrow(coded('provider.wrong-kind'))
})

test('one that is gone is said to be', () => {
  const { providers } = someProviders()
  expect(() => providers.activate('codex', 'provider-9')).toThrow(coded('provider.unknown'))
  expect(() => providers.remove('provider-9')).toThrow(coded('provider.unknown'))
  expect(() => providers.save(draft({ profileId: 'provider-9' }))).toThrow(coded('provider.unknown'))
  expect(() => providers.test('provider-9')).toThrow(coded('provider.unknown'))
})

test('only what changes the provider that an agent works with is said to move it', () => {
  const { providers, moved } = someProviders()
  const { profileId } = providers.save(draft())
  const other = providers.save(draft({ key: { how: 'none' } }))
  providers.activate('codex', profileId)
  providers.save(draft({ profileId, model: 'm1' }))
  providers.remove(other.profileId)
  providers.activate('codex', null)
  providers.remove(profileId)
  expect(moved).toEqual([[], [], ['codex'], ['codex'], [], ['codex'], []])
})
