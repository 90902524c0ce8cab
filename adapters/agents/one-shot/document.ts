import type { OutputItem } from '../../../shared/agent-event.ts'
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
      const found = findDocument(text, read)
      if (!found) return { status: 'nothing', noise: text }
      const { fitting, around } = found
      if (fitting.status !== 'answered' || around === '') return fitting
      return { ...fitting, items: [noise(around), ...fitting.items] }
    },
  }
}

const noise = (around: string): OutputItem => ({
  type: 'omitted',
  what: `beside the answer: ${around.split('\n', 1)[0]}`,
  bytes: Buffer.byteLength(around),
  sha256: null,
})
