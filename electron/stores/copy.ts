import { backup, DatabaseSync } from 'node:sqlite'
import { AppError } from '../../shared/errors.ts'
import { copyPagesPerStep, lockWaitMs } from '../../shared/limits.ts'

/**
 * Copies a record that somebody may write meanwhile, as it is at one moment, into an empty file. Nothing that is
 * written waits for it; the log cannot begin anew until it is done. After each step `mayGoOn` is asked; a no rejects
 * with `app.shutting-down`.
 */
export const copyRecord = async (from: string, to: string, mayGoOn: () => boolean): Promise<void> => {
  const source = new DatabaseSync(from, { readOnly: true, timeout: lockWaitMs })
  try {
    // without one moment of its own the copy would begin again at each change
    source.exec('begin')
    source.prepare('select count(*) from sqlite_schema').get()
    await backup(source, to, {
      rate: copyPagesPerStep,
      progress: () => {
        if (!mayGoOn()) throw new AppError('app.shutting-down', 'The copy was given up.')
      },
    })
  } finally {
    source.close()
  }
}
