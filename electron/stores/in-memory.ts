import { Database } from './database.ts'
import { migrate } from './migrations.ts'
import { Stores } from './stores.ts'

/** Stores that nothing is left of once they are closed, and that touch no disk. They hold no image. */
export const storesInMemory = (): Stores => {
  const database = new Database(':memory:', { readOnly: false })
  migrate(database)
  return new Stores(database, '', () => database.close())
}
