import { logWhileCopyingMaxBytes } from '../../shared/limits.ts'
import { backupExitCodes } from './backup-exit-codes.ts'
import { copyRecord } from './copy.ts'
import { bytesOf, makePrivateFile, syncFile } from './files.ts'
import { isGood } from './verify.ts'

/**
 * A program of its own: it copies a record and verifies the copy beside main, which never stands still for it and can
 * end it at any moment. Its exit code says what became of it, and main says what becomes of the copy.
 */
const [database = '', log = '', place = ''] = process.argv.slice(2)
// whoever wanted it is gone
process.stdin.on('end', () => process.exit(backupExitCodes.outrun)).resume()
process.exit(backupExitCodes[await backUp()])

async function backUp(): Promise<keyof typeof backupExitCodes> {
  makePrivateFile(place)
  const before = bytesOf(log)
  let outrun = false
  try {
    await copyRecord(database, place, () => {
      outrun = bytesOf(log) - before > logWhileCopyingMaxBytes
      return !outrun
    })
  } catch (error) {
    if (outrun) return 'outrun'
    throw error
  }
  syncFile(place)
  return isGood(place) ? 'good' : 'unsound'
}
