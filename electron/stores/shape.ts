import { numberIn, textIn } from './columns.ts'
import { Database } from './database.ts'
import { migrate, migrations } from './migrations.ts'

/** Whether a database of ours has every table and column that its version says it has. */
export const hasItsShape = (database: Database): boolean => {
  const version = numberIn(database.get('pragma user_version') ?? {}, 'user_version')
  const found = columnsIn(database)
  return [...columnsOfVersion(version)].every((column) => found.has(column))
}

const columnsOfVersion = (version: number): Set<string> => {
  const like = new Database(':memory:', { readOnly: false })
  try {
    migrate(like, migrations.slice(0, version))
    return columnsIn(like)
  } finally {
    like.close()
  }
}

const columnsIn = (database: Database): Set<string> =>
  new Set(database.all(columnsSql).map((row) => `${textIn(row, 'relation')}.${textIn(row, 'field')}`))

const columnsSql = `
  select m.name as relation, c.name as field from sqlite_schema m join pragma_table_info(m.name) c
  where m.type = 'table'`
