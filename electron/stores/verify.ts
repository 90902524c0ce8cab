import { conversationsPageMax } from '../../shared/limits.ts'
import { textIn } from './columns.ts'
import { Database } from './database.ts'
import { hasItsShape } from './shape.ts'
import { fixedUrl } from './look.ts'
import { versionStanding } from './migrations.ts'
import { Stores } from './stores.ts'

/**
 * Whether a file that nobody writes can stand in for the record: its pages and references are sound, it has the shape
 * of its version, which is not newer than ours, and its conversations and runs can be read. A single row that cannot
 * be read was that way in the record too and does not spoil it.
 */
export const isGood = (path: string): boolean => {
  let database: Database | null = null
  try {
    database = new Database(fixedUrl(path), { readOnly: true })
    return isSoundThroughout(database) && isOfOurs(database) && readsThrough(database)
  } catch {
    return false
  } finally {
    database?.close()
  }
}

const isSoundThroughout = (database: Database) =>
  database.all('pragma integrity_check(1)').every((row) => textIn(row, 'integrity_check') === 'ok')
  && database.get('pragma foreign_key_check') === undefined

const isOfOurs = (database: Database) =>
  ['older', 'current'].includes(versionStanding(database)) && hasItsShape(database)

const readsThrough = (database: Database): boolean => {
  const stores = new Stores(database, '', () => undefined)
  for (let after: string | null = null; ;) {
    const page = stores.list.page({ after, limit: conversationsPageMax, query: '' })
    if (page.more === null) break
    after = page.more
  }
  let runs = 0
  for (const _ of stores.runs.every()) runs += 1
  stores.gates.waiting()
  return runs >= 0
}
