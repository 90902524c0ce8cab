import { pathToFileURL } from 'node:url'
import { Database } from './database.ts'
import { bytesOf, type Files, filesIn, statOf } from './files.ts'
import { versionStanding } from './migrations.ts'
import { Stores } from './stores.ts'

/** Opens a folder to look at only, beside a running Parley too. `null` when nothing in it can be read. */
export const openReadOnly = (folder: string): Stores | null => {
  const files = filesIn(folder)
  return lookInto(files, files.database) ?? (bytesOf(files.log) > 0 ? null : lookInto(files, fixedUrl(files.database)))
}

/** As `openReadOnly`, for a folder that no Parley holds: SQLite leaves no file of its own in it either. */
export const openUntouched = (folder: string): Stores | null => {
  const files = filesIn(folder)
  if (bytesOf(files.log) === 0) return lookInto(files, fixedUrl(files.database))
  // without its index a log can only be read by making one
  return statOf(files.index) ? lookInto(files, ownIndexUrl(files.database)) : openReadOnly(folder)
}

/** Reads the file alone, for a folder in which SQLite may not even make its index of the log. */
export const fixedUrl = (path: string) => {
  const url = pathToFileURL(path)
  url.search = '?mode=ro&immutable=1'
  return url
}

/** Reads the log through an index in memory: the one in the folder stays as it is. */
const ownIndexUrl = (path: string) => {
  const url = pathToFileURL(path)
  url.search = '?mode=ro&readonly_shm=1'
  return url
}

const lookInto = ({ images }: Files, location: string | URL): Stores | null => {
  let database: Database | null = null
  try {
    database = new Database(location, { readOnly: true })
    const stores = new Stores(database, images, database.close.bind(database))
    if (versionStanding(database) !== 'foreign' && canBeRead(stores)) return stores
  } catch {
    // nothing readable here is an answer, not a failure
  }
  database?.close()
  return null
}

const canBeRead = (stores: Stores) => {
  const { rows } = stores.list.page({ after: null, limit: 1, query: '' })
  stores.gates.waiting()
  if (rows[0]) stores.views.conversation(rows[0].conversationId, null)
  return true
}
