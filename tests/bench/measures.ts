import { measureCheckpoint } from './checkpoint.ts'
import { measureDetection } from './detection.ts'
import { measureLookingBack } from './looking-back.ts'
import type { Measure } from './figure.ts'
import { measureReading } from './reading.ts'
import { measureStorage } from './storage.ts'
import { measureStream } from './stream.ts'
import { measureTurn } from './turn.ts'

/** What can be measured, by the name that `npm run bench -- NAME` takes. */
export const measures: Readonly<Record<string, Measure>> = {
  checkpoint: measureCheckpoint,
  detection: measureDetection,
  'looking back': measureLookingBack,
  reading: measureReading,
  storage: measureStorage,
  stream: measureStream,
  turn: measureTurn,
}
