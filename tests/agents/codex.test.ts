import { conforms } from './conformance.ts'
import {
  startsNoServersWhileItMayOnlyRead,
  triesAWrongKeyNoMoreThanThreeTimes,
  votesByTheCodeWord,
} from './further-cases.ts'

conforms('codex', (inUse) => {
  startsNoServersWhileItMayOnlyRead(inUse, 'codex')
  triesAWrongKeyNoMoreThanThreeTimes(inUse, 'codex')
  votesByTheCodeWord(inUse, 'codex')
})
