import { expect, onTestFinished, test } from 'vitest'
import { Database } from '../../../electron/stores/database.ts'
import { openReadOnly } from '../../../electron/stores/look.ts'
import { providersPerAgentMax } from '../../../shared/limits.ts'
import type { ProviderKind } from '../../../shared/provider.ts'
import { freshFolder, freshStores } from './fresh.ts'
import { conversation } from './records.ts'

const profile = (profileId: string, kind: ProviderKind = 'codex', more = {}) => ({
  profileId, kind, preset: null, name: profileId, baseUrl: 'https://gateway.example/v1', model: null,
  hasKey: true, active: false, createdAt: 1, ...more,
})
const databaseOf = (folder: string) => `${folder}/parley.db`

test('several profiles are kept for each agent, of which one is active', () => {
  const { providers } = freshStores()
  for (const id of ['provider-1', 'provider-2']) providers.put(profile(id), 'kept')
  providers.put(profile('provider-3', 'qwen'), null)
  providers.activate('codex', 'provider-1')
  providers.activate('qwen', 'provider-3')
  providers.activate('codex', 'provider-2')
  expect(providers.list().map(({ profileId, active, hasKey }) => [profileId, active, hasKey])).toEqual([
    ['provider-1', false, true], ['provider-2', true, true], ['provider-3', true, false],
  ])
  providers.remove('provider-2')
  expect([providers.active('codex'), providers.active('qwen')?.profileId]).toEqual([null, 'provider-3'])
})

test('another version of a profile keeps its place and whether it is active', () => {
  const { providers } = freshStores()
  providers.put(profile('provider-1'), 'kept')
  providers.activate('codex', 'provider-1')
  providers.put(profile('provider-1', 'codex', { name: 'other', createdAt: 9 }), null)
  expect(providers.list()).toEqual([
    profile('provider-1', 'codex', { name: 'other', active: true, hasKey: false }),
  ])
  expect(providers.protectedKey('provider-1')).toBe(null)
})

test('one that is of another agent is not made active', () => {
  const { providers } = freshStores()
  providers.put(profile('provider-1', 'qwen'), 'kept')
  providers.activate('codex', 'provider-1')
  expect(providers.list().map(({ active }) => active)).toEqual([false])
})

test('there is an end to how many an agent may have, and nothing is written beyond it', () => {
  const { providers } = freshStores()
  for (let n = 0; n < providersPerAgentMax; n += 1) providers.put(profile(`provider-${n}`), null)
  expect(() => providers.put(profile('provider-more'), 'kept')).toThrow(
    expect.objectContaining({ code: 'provider.too-many' }),
  )
  providers.put(profile('provider-0', 'codex', { name: 'again' }), null)
  expect(providers.list().length).toBe(providersPerAgentMax)
})

test('an address that was stored otherwise is read as this version writes it; a bad row hides no good one', () => {
  const folder = freshFolder()
  const stores = freshStores(folder)
  for (const id of ['provider-1', 'provider-2', 'provider-3']) stores.providers.put(profile(id), 'kept')
  const other = new Database(databaseOf(folder), { readOnly: false })
  onTestFinished(() => other.close())
  other.run("update provider_profiles set base_url = 'https://gateway.example/' where profile_id = 'provider-1'")
  other.run("update provider_profiles set base_url = 'http://evil.example' where profile_id = 'provider-2'")
  expect(stores.providers.list().map(({ profileId, baseUrl }) => [profileId, baseUrl])).toEqual([
    ['provider-1', 'https://gateway.example/v1'], ['provider-3', 'https://gateway.example/v1'],
  ])
  expect(stores.damage()).toEqual([{ table: 'provider_profiles', key: 'provider-2' }])
})

test('a folder from before there were profiles can still be looked at', () => {
  const folder = freshFolder()
  freshStores(folder).close()
  const older = new Database(databaseOf(folder), { readOnly: false })
  older.script('drop table provider_profiles')
  older.close()
  const looking = openReadOnly(folder)
  onTestFinished(() => looking?.close())
  expect([looking?.providers.list(), looking?.providers.get('provider-1')]).toEqual([[], null])
})

test('the native sessions of one agent are let go, and no other’s', () => {
  const stores = freshStores()
  stores.conversations.create(conversation('conversation-one'))
  const direct = { kind: 'direct', conversationId: 'conversation-one', agent: 'codex' } as const
  const group = {
    kind: 'group', conversationId: 'conversation-one', messageId: 'message-1', seat: 'codex', agent: 'qwen',
  } as const
  const session = { nativeId: 'n', adapterVersion: null, at: 1 }
  stores.sessions.keep(direct, session)
  stores.sessions.keep(group, session)
  stores.sessions.clearOf('codex')
  expect([stores.sessions.get(direct), stores.sessions.get(group)]).toEqual([null, session])
})
