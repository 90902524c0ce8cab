import { chartOf, type Chart } from '../../machines/chart.ts'
import { Drawing } from './drawing.ts'
import attempt from './laid-out/attempt.json'
import gate from './laid-out/gate.json'
import round from './laid-out/round.json'
import run from './laid-out/run.json'

type DrawnMachine = 'run' | 'round' | 'attempt' | 'gate'

const files = { run, round, attempt, gate } satisfies Record<DrawnMachine, unknown>
const known = new Map<DrawnMachine, { chart: Chart; drawing: Drawing }>()

/** A chart and its drawing; read once. */
export function drawn(machine: DrawnMachine): { chart: Chart; drawing: Drawing } {
  const found = known.get(machine) ?? { chart: chartOf(machine), drawing: Drawing.parse(files[machine]) }
  known.set(machine, found)
  return found
}
