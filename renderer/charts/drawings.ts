import type { DrawnChart } from './drawing.ts'
import attempt from './laid-out/attempt.json'
import gate from './laid-out/gate.json'
import round from './laid-out/round.json'
import run from './laid-out/run.json'
import type { DrawnMachine } from './places.ts'

// the files are ours, written by lay-out.ts from values of this type; a test compares them with the machines
const charts = { run, round, attempt, gate } as unknown as Readonly<Record<DrawnMachine, DrawnChart>>

/** A chart and its drawing, as `npm run charts` made them from the machine. */
export const drawn = (machine: DrawnMachine): DrawnChart => charts[machine]
