import { TestOffice } from '../fakes/office.ts'
import { rehearsal } from './agents.ts'
import { journalAt } from './journal.ts'
import { numbering } from './points.ts'
import { session } from './session.ts'

/**
 * Goes through the session in the folder given, and kills itself at the fail-point that PARLEY_TEST_KILL_AT numbers, or
 * at the first one of that name.
 */
const [folder = '', journal = ''] = process.argv.slice(2)
const tell = journalAt(journal)
const killAt = process.env['PARLEY_TEST_KILL_AT']
let points = 0

const around = numbering((number, name) => {
  points = number
  if (!killAt) return tell({ told: 'point', number, name })
  if (killAt !== String(number) && !name.startsWith(killAt)) return
  tell({ told: 'point', number, name })
  process.kill(process.pid, 'SIGKILL')
})

const office = new TestOffice(rehearsal, folder, { around })
await office.start()
await session(office, tell)
await office.quit()
tell({ told: 'end', points })
