import { LineReader } from '../../adapters/lines.ts'
import { median, type Figure } from './figure.ts'
import { acpTalker } from './stream-acp.ts'
import { claudeTalker } from './stream-claude.ts'
import { codexTalker } from './stream-codex.ts'
import { oneShotTalker } from './stream-one-shot.ts'
import type { Talker } from './talker.ts'

const lines = 50_000
const repeats = 5
const chunkBytes = 65_536

/** What an agent prints, from bytes to events that may be kept: cut into lines, decoded, read, redacted. */
export const measureStream = async (): Promise<Figure[]> => {
  const figures: Figure[] = []
  for (const talker of [codexTalker, claudeTalker, acpTalker, oneShotTalker]) {
    figures.push({
      what: `50,000 lines of ${talker.name} to clean events`,
      value: await medianRate(talker),
      unit: 'events/s',
      budget: { atLeast: 100_000 },
    })
  }
  return figures
}

const medianRate = async (talker: Talker): Promise<number> => {
  const messages = Array.from({ length: lines - 1 }, (_, index) => talker.message(index))
  const bytes = Buffer.from(messages.concat(talker.last()).map((message) => `${JSON.stringify(message)}\n`).join(''))
  const rates: number[] = []
  for (let repeat = 0; repeat <= repeats; repeat += 1) rates.push(await eventsPerSecond(talker, bytes))
  // the first is for the compiler to warm up
  return median(rates.slice(1))
}

const eventsPerSecond = async (talker: Talker, bytes: Buffer): Promise<number> => {
  let heard = 0
  const { lines: hearer, turn } = await talker.open(() => { heard += 1 })
  const reader = new LineReader(hearer)
  const before = performance.now()
  for (let from = 0; from < bytes.length; from += chunkBytes) reader.push(bytes.subarray(from, from + chunkBytes))
  const seconds = (performance.now() - before) / 1_000
  const { status } = await turn
  if (status !== 'completed' || heard < lines / 2)
    throw new Error(`Only ${heard} events were heard, and the turn ended ${status}.`)
  return lines / seconds
}
