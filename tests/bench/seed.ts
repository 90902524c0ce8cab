import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Database } from '../../electron/stores/database.ts'
import { openStores } from '../../electron/stores/open.ts'
import { attempt, run } from '../electron/stores/records.ts'

/** How much lies in a seeded folder. Each run is one message of the person and `turnsPerRun` answers. */
interface SeedSize {
  conversations: number
  runsPerConversation: number
  turnsPerRun: number
}

/**
 * A folder with so much in it, as if it had been used for long and closed in order. It must be removed.
 * It is filled by another process: the memory that takes would make every start of a process slower in this one.
 */
export const seededFolder = (size: SeedSize): string => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  const script = fileURLToPath(new URL('./fill-folder.ts', import.meta.url))
  execFileSync(process.execPath, [...process.execArgv, script, folder, JSON.stringify(size)], { stdio: 'inherit' })
  return folder
}

export const fillFolder = (folder: string, size: SeedSize): void => {
  openStores(folder).close()
  const database = new Database(join(folder, 'parley.db'), { readOnly: false })
  database.script('pragma synchronous = off; pragma cache_size = -64000; pragma temp_store = memory')
  database.transaction(() => fill(database, size))
  database.close()
  // closed by the stores themselves once more, so that the next start finds the mark of an orderly end
  openStores(folder).close()
}

export const removeFolder = (folder: string) => rmSync(folder, { recursive: true, force: true })

const fill = (database: Database, { conversations, runsPerConversation, turnsPerRun }: SeedSize) => {
  const runs = conversations * runsPerConversation
  database.run(conversationsSql, conversations)
  database.run(messagesSql, runs, runsPerConversation)
  database.run(runsSql, runs, runsPerConversation, templateOf(seedRun))
  database.run(attemptsSql, turnsPerRun, templateOf(seedAttempt))
  database.run('insert into turn_texts select position, replace(hex(randomblob(250)), \'A\', \' \') from attempts')
  database.run(outputsSql)
  database.run(`insert into roots (root, root_id, machine) select position, run_id, 'run' from runs`)
  database.run(runActorsSql)
  database.run(attemptActorsSql)
  database.run(eventsSql)
}

// the placeholders are ids that the templates hold and nothing else does
const seedRun = run('RUN', 'CONVERSATION', { status: 'agreed', messageId: 'MESSAGE', settledAt: 1 })
const seedAttempt = attempt('ATTEMPT', seedRun, { status: 'completed', settledAt: 1, agent: 'rehearsal:bold' })

const templateOf = (record: object) =>
  JSON.stringify(record, (key, value: unknown) => (key === 'topic' || key === 'conversationId' ? undefined : value))
    .replace('{', '{"conversationId":"CONVERSATION",')

const countTo = `with recursive n (i) as (select 1 union all select i + 1 from n where i < ?)`

const conversationsSql = `${countTo}
  insert into conversations
  select 'conversation-seed-' || i, 'group', 'Seeded talk ' || i, '["rehearsal:bold","rehearsal:careful"]', '/tmp', 0,
    '{"rounds":3,"blindFirst":false}', i, i from n`

const messagesSql = `${countTo}
  insert into messages
  select 'message-seed-' || i, 'conversation-seed-' || ((i - 1) / cast(? as integer) + 1),
    'Question ' || i || ', and some words', i
  from n`

const runsSql = `${countTo}
  insert into runs (position, run_id, conversation_id, message_id, status, live, record)
  select i, 'run-seed-' || i, c, 'message-seed-' || i, 'agreed', 0,
    replace(replace(replace(template, 'RUN', 'run-seed-' || i), 'CONVERSATION', c), 'MESSAGE', 'message-seed-' || i)
  from (select n.i as i, 'conversation-seed-' || ((n.i - 1) / cast(? as integer) + 1) as c, ? as template from n)`

const attemptsSql = `${countTo}
  insert into attempts (attempt_id, run, live, record, output_seq, output_rows, tool_count, text_length)
  select 'attempt-seed-' || r.position || '-' || n.i, r.position, 0,
    replace(replace(replace(?, 'ATTEMPT', 'attempt-seed-' || r.position || '-' || n.i),
      'CONVERSATION', r.conversation_id), 'RUN', r.run_id), 3, 3, 1, 500
  from runs r cross join n order by r.position, n.i`

const outputsSql = `
  insert into outputs
  select a.position, s.seq, s.seq, 1, s.type, s.item from attempts a cross join (
    select 1 as seq, 'text' as type, json_object('type', 'text', 'delta', printf('%0100d', 7)) as item
    union all select 2, 'tool',
      '{"type":"tool","tool":{"toolId":"tool","kind":"read","title":"Read","status":"done","detail":null}}'
    union all select 3, 'text', json_object('type', 'text', 'delta', printf('%0150d', 8))
  ) s order by a.position, s.seq`

const runActorsSql = `
  insert into actors (actor, root, machine, value, type, at)
  select run_id, position, 'run', '"agreed"', 'round.settled', 1 from runs`

const attemptActorsSql = `
  insert into actors (actor, root, machine, value, type, at)
  select attempt_id, run, 'attempt', '"completed"', 'agent.finished', 1 from attempts order by position`

/** Four events of every machine. */
const eventsSql = `
  insert into events
  select root, row_number() over (partition by root order by step, actor_number), 1, actor_number, 'step.taken', '{}',
    value, '"before"'
  from actors cross join (select 1 as step union all select 2 union all select 3 union all select 4)
  order by 1, 2`
