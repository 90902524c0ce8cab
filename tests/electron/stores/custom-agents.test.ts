import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openReadOnly } from '../../../electron/stores/look.ts'
import { openStores } from '../../../electron/stores/open.ts'
import type { AgentId } from '../../../shared/agent.ts'
import type { CustomAgentDefinition } from '../../../shared/custom-agent.ts'
import { freshFolder, freshStores } from './fresh.ts'
import { conversation } from './records.ts'

const definition = (name: string, more: Partial<CustomAgentDefinition> = {}): CustomAgentDefinition => ({
  name,
  file: '/opt/tools/agent',
  args: ['--stdio'],
  envNames: ['MY_KEY'],
  speech: { transport: 'acp', modes: { readOnly: 'plan', write: null } },
  ...more,
})

test('definitions are kept by name, changed in their place, and forgotten', () => {
  const { customAgents } = freshStores()
  customAgents.keep(definition('two'))
  customAgents.keep(definition('one'))
  customAgents.keep(definition('two', { args: [] }))
  expect(customAgents.all()).toEqual([definition('one'), definition('two', { args: [] })])
  customAgents.remove('custom:two')
  expect([customAgents.get('custom:two'), customAgents.has('custom:two'), customAgents.has('custom:one')]).toEqual([
    null, false, true,
  ])
})

test('what would be refused in the window is not written either', () => {
  const { customAgents } = freshStores()
  expect(() => customAgents.keep(definition('one', { args: ['--token', 'x'] }))).toThrow('does not have the shape')
  expect(customAgents.all()).toEqual([])
})

test('the conversations that have an agent as a member are counted', () => {
  const stores = freshStores()
  const has = (conversationId: string, members: AgentId[]) =>
    stores.conversations.create(conversation(conversationId, { members }))
  has('conversation-a', ['codex', 'custom:one'])
  has('conversation-b', ['custom:one-more'])
  has('conversation-c', ['custom:one', 'claude'])
  const agents: AgentId[] = ['custom:one', 'custom:on', 'custom:two']
  expect(agents.map((agent) => stores.customAgents.conversationsWith(agent))).toEqual([2, 0, 0])
})

test('a store from before there were any is read without them, and has room for them once it is opened', () => {
  const folder = freshFolder()
  openStores(folder).close()
  const older = new DatabaseSync(join(folder, 'parley.db'))
  older.exec(`
    alter table roots drop column packed; drop table custom_agents; drop table run_details; pragma user_version = 3`)
  older.close()
  const looking = openReadOnly(folder)
  expect(looking?.customAgents.all()).toEqual([])
  looking?.close()
  const stores = openStores(folder)
  stores.customAgents.keep(definition('one'))
  expect(stores.customAgents.all()).toHaveLength(1)
  stores.close()
})
