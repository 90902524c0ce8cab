import type { MachineName } from '../../shared/ledger.ts'

/** Where something stands on its sheet: left, top, and for what frames other things its width and height. */
type Place = readonly [x: number, y: number, width?: number, height?: number]

/** The machines that the window draws. */
export type DrawnMachine = Extract<MachineName, 'run' | 'round' | 'attempt' | 'gate'>

/**
 * Where the states of each chart stand, and where an arrow keeps room for its button. A person reads a chart by its
 * shape, so the shape is chosen, not computed; the arrows between the states, and the places of their words, are found
 * by `npm run charts`. All figures are multiples of four pixels, so that every line falls on the router's grid.
 */
export const places: Readonly<Record<DrawnMachine, Readonly<Record<string, Place>>>> = {
  run: {
    preparing: [8, 32],
    accepting: [200, 32],
    refused: [328, 32],
    weighing: [172, 120],
    'weighing → holding.paused': [136, 172, 152, 24],
    'holding.paused → weighing': [300, 172, 80, 24],
    conferring: [8, 244, 112, 136],
    'conferring.discussing': [16, 276],
    'conferring.stopping': [24, 344],
    holding: [152, 244, 120, 136],
    'holding.paused': [180, 276],
    'holding.deciding': [172, 344],
    concluding: [304, 244, 112, 136],
    'concluding.writing': [324, 276],
    'concluding.unwritten': [316, 344],
    ends: [8, 420],
  },
  round: {
    calling: [52, 16],
    listening: [48, 96],
    mending: [224, 96],
    stopping: [136, 184],
    ends: [8, 252],
  },
  attempt: {
    onFloor: [8, 8, 336, 424],
    'onFloor.queued': [24, 40],
    'onFloor.working': [32, 92, 288, 328],
    'onFloor.working.speaking': [44, 120, 264, 176],
    'onFloor.working.speaking.launching': [56, 152],
    'onFloor.working.speaking.streaming': [192, 152],
    'onFloor.working.speaking.awaitingGate': [176, 216],
    'onFloor.working.speaking.resuming': [56, 260],
    'onFloor.working.speaking → onFloor.working.ending': [40, 320, 120, 24],
    'onFloor.working.overdue → onFloor.working.ending': [188, 320, 120, 24],
    'onFloor.working.ending': [64, 372],
    'onFloor.working.overdue': [212, 372],
    settling: [24, 476],
    judging: [136, 476],
    'backingOff → onFloor': [236, 480, 104, 24],
    parked: [24, 568],
    backingOff: [232, 568],
    ends: [8, 648],
  },
  gate: {
    waiting: [176, 16],
    answered: [172, 112],
    applying: [172, 208],
    ends: [8, 312],
  },
}

/** How many ends stand side by side, and how wide each is. */
export const endColumns: Readonly<Record<DrawnMachine, { columns: number; width: number }>> = {
  run: { columns: 3, width: 126 },
  round: { columns: 3, width: 126 },
  attempt: { columns: 3, width: 100 },
  gate: { columns: 3, width: 126 },
}
