import { measureCheckpoint } from './checkpoint.ts'
import { measureDetection } from './detection.ts'
import { measureLookingBack } from './looking-back.ts'
import type { Measure } from './figure.ts'
import { measureEvents } from './events.ts'
import { measureFrames } from './frames.ts'
import { measureOpening } from './opening.ts'
import { measureReading } from './reading.ts'
import { measureRestart } from './restart.ts'
import { measureSoak } from './soak.ts'
import { measureStorage } from './storage.ts'
import { measureStream } from './stream.ts'
import { measureTurn } from './turn.ts'
import { measureVisible } from './visible.ts'

/** What can be measured, by the name that `npm run bench -- NAME` takes. */
export const measures: Readonly<Record<string, Measure>> = {
  checkpoint: measureCheckpoint,
  detection: measureDetection,
  events: measureEvents,
  frames: measureFrames,
  'looking back': measureLookingBack,
  opening: measureOpening,
  reading: measureReading,
  restart: measureRestart,
  soak: measureSoak,
  storage: measureStorage,
  stream: measureStream,
  turn: measureTurn,
  visible: measureVisible,
}

/** What is measured only when it is named. */
export const onDemand: ReadonlySet<string> = new Set(['soak'])
