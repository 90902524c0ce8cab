import type { AgentId } from '../../shared/agent.ts'
import { checkCustomAgent } from '../../shared/check-custom-agent.ts'
import { CustomAgentDefinition, idOfCustom } from '../../shared/custom-agent.ts'
import { numberIn, textIn } from './columns.ts'
import { type Damage, jsonIn, parsed, toJson } from './damage.ts'
import type { Database, Row } from './database.ts'

/** Remembers which programs the person made agents of. Definitions never leave main. */
export class CustomAgents {
  readonly #database: Database
  readonly #damage: Damage

  constructor(database: Database, damage: Damage) {
    this.#database = database
    this.#damage = damage
  }

  /** By name. Empty in a store of an older version that is only looked at. */
  all(): CustomAgentDefinition[] {
    if (this.#database.readOnly && !this.#isThere()) return []
    const rows = this.#database.all('select agent, record from custom_agents order by agent')
    return this.#damage.sound('custom_agents', 'agent', rows, read)
  }

  /** Throws `ledger.damaged` where it is there and cannot be read. */
  get(agent: AgentId): CustomAgentDefinition | null {
    const row = this.#database.get('select agent, record from custom_agents where agent = ?', agent)
    return this.#damage.one('custom_agents', 'agent', row, read)
  }

  /** Whether there is one, readable or not. */
  has(agent: string): boolean {
    return this.#database.get('select 1 from custom_agents where agent = ?', agent) !== undefined
  }

  /** A new one, or in place of the one of that name. */
  keep(definition: CustomAgentDefinition) {
    this.#database.run(
      `insert into custom_agents (agent, record) values (?, ?)
       on conflict (agent) do update set record = excluded.record`,
      idOfCustom(definition), toJson(Sound, definition),
    )
  }

  remove(agent: AgentId) {
    this.#database.run('delete from custom_agents where agent = ?', agent)
  }

  /** In how many conversations an agent is a member. */
  conversationsWith(agent: AgentId): number {
    const row = this.#database.get(
      `select count(*) as members from conversations
       where case when json_valid(members)
         then exists (select 1 from json_each(conversations.members) where json_each.value = ?) else 0 end`,
      agent,
    )
    return row ? numberIn(row, 'members') : 0
  }

  #isThere(): boolean {
    return this.#database.get(`select 1 from sqlite_schema where name = 'custom_agents'`) !== undefined
  }
}

/** What would be refused from the window is refused from the disk as well. */
const Sound = CustomAgentDefinition.refine((definition) => {
  try {
    checkCustomAgent(definition)
    return true
  } catch {
    return false
  }
})

const read = (row: Row): CustomAgentDefinition =>
  parsed(
    Sound.refine((definition) => idOfCustom(definition) === textIn(row, 'agent')),
    jsonIn(row, 'record'),
  )
