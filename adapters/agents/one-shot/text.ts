import { documentMaxBytes } from '../../../shared/limits.ts'
import { stripTerminalCodes } from '../../terminal-codes.ts'
import { failureOf } from '../failures.ts'
import { omission, type Decoder } from './decoder.ts'

/** Everything that is printed is the answer, line by line; whether it is a good one, the exit code says. */
export const textDecoder = (): Decoder => {
  let waiting = ''
  let hasSpoken = false
  let bytes = 0
  return {
    streams: true,
    line(text) {
      bytes += Buffer.byteLength(text) + 1
      if (bytes > documentMaxBytes) return []
      const shown = lastOverwrite(stripTerminalCodes(text))
      // empty lines count only between others
      if (shown.trim() === '') {
        if (hasSpoken) waiting += '\n'
        return []
      }
      const delta = hasSpoken ? `\n${waiting}${shown}` : shown
      waiting = ''
      hasSpoken = true
      // the next begins with a line break
      return [{ type: 'text', delta }, { type: 'blockEnded', of: 'text' }]
    },
    omitted: (line) => [omission(line)],
    end() {
      if (bytes > documentMaxBytes) return { status: 'failed', failure: failureOf('agent.output-limit') }
      return hasSpoken ? { status: 'answered', items: [] } : { status: 'nothing', noise: '' }
    },
  }
}

/** Of what `\r` overwrote only the last remains. */
const lastOverwrite = (line: string): string => {
  const whole = line.replace(/\r+$/, '')
  return whole.slice(whole.lastIndexOf('\r') + 1)
}
