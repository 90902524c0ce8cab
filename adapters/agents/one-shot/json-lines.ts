import type { OutputItem } from '../../../shared/agent-event.ts'
import type { Failure } from '../../../shared/errors.ts'
import { noiseLinesMax } from '../../../shared/limits.ts'
import { readJson } from '../../lines.ts'
import { plainLine } from '../../terminal-codes.ts'
import { failureOf } from '../failures.ts'
import { omission, type Decoder } from './decoder.ts'

/** What one message means: something for the person, an error, or `null` where it is of no matter. */
type ReadLine = (message: unknown) => { items: OutputItem[] } | { failure: Failure } | null

/** Each line is one JSON message; those that are none are noise, of which there may be only so much. */
export const jsonLinesDecoder = (read: ReadLine): Decoder => {
  const noise: string[] = []
  let failure: Failure | null = null
  let hasAnswered = false
  const hearNoise = (text: string): OutputItem[] => {
    const plain = plainLine(text)
    if (plain === '' || noise.length > noiseLinesMax) return []
    noise.push(plain)
    if (noise.length > noiseLinesMax) failure ??= failureOf('agent.garbled', noise[0])
    return [{ type: 'omitted', what: 'a line that is no message', bytes: Buffer.byteLength(text), sha256: null }]
  }
  return {
    streams: true,
    line(text) {
      const message = readJson(text)
      if (message === undefined) return hearNoise(text)
      const heard = read(message)
      if (heard === null) return []
      if ('failure' in heard) {
        failure ??= heard.failure
        return []
      }
      hasAnswered ||= heard.items.some((item) => item.type === 'text')
      return heard.items
    },
    omitted: (line) => [omission(line)],
    end() {
      if (failure) return { status: 'failed', failure }
      return hasAnswered ? { status: 'answered', items: [] } : { status: 'nothing', noise: noise.join('\n') }
    },
  }
}
