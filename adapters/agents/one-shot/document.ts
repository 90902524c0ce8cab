import { documentMaxBytes } from '../../../shared/limits.ts'
import { failureOf } from '../failures.ts'
import type { Decoder, Said } from './decoder.ts'
import { findDocument } from './find-document.ts'

/** One JSON object holds the answer, and nothing is said before it is whole. `read` gives `null` for another object. */
export const documentDecoder = (read: (value: unknown) => Said | null): Decoder => {
  const lines: string[] = []
  let bytes = 0
  let isTooLarge = false
  const keep = (text: string, size: number) => {
    bytes += size + 1
    if (bytes > documentMaxBytes) isTooLarge = true
    else lines.push(text)
    return []
  }
  return {
    streams: false,
    line: (text) => keep(text, Buffer.byteLength(text)),
    omitted: () => keep('', documentMaxBytes),
    end() {
      if (isTooLarge) return { status: 'failed', failure: failureOf('agent.output-limit') }
      const text = lines.join('\n')
      return findDocument(text, read) ?? { status: 'nothing', noise: text }
    },
  }
}
