import { conforms } from './conformance.ts'
import {
  startsNoServersWhileItMayOnlyRead,
  triesAWrongKeyNoMoreThanThreeTimes,
  votesByTheCodeWord,
} from './further-cases.ts'

conforms('claude', (inUse) => {
  startsNoServersWhileItMayOnlyRead(inUse, 'claude')
  triesAWrongKeyNoMoreThanThreeTimes(inUse, 'claude')
  votesByTheCodeWord(inUse, 'claude')
})
