import type { GateOption, GateRecord } from '../../../shared/gate.ts'
import { gateNoteMaxCharacters } from '../../../shared/limits.ts'
import { optionByNumber } from './gate-policy.ts'
import type { Screen } from './screen.ts'

/** Asks until one of the gate's numbers is typed; `null` when the question was taken back or the input has ended. */
export const askForOption = async (
  screen: Screen,
  gate: GateRecord,
  signal: AbortSignal,
): Promise<{ option: GateOption; note: string | null } | null> => {
  const typed = await screen.ask(`Your answer, 1 to ${gate.options.length}: `, signal)
  if (typed === null) return null
  const option = optionByNumber(typed, gate)
  if (!option) return askForOption(screen, gate, signal)
  if (!option.takesNote) return { option, note: null }
  const note = await screen.ask('Your note: ', signal)
  return note === null ? null : { option, note: note.trim().slice(0, gateNoteMaxCharacters) || null }
}

const wishes = ['tryAgain', 'goOn', 'stop'] as const

/** Asks what to do with a run that too few agents are left for. */
export const askWhatNow = async (screen: Screen, signal: AbortSignal): Promise<(typeof wishes)[number] | null> => {
  screen.say('Too few agents are left.  1 Try those that failed again   2 Go on with who is left   3 Stop')
  const typed = await screen.ask('Your answer, 1 to 3: ', signal)
  if (typed === null) return null
  return wishes[Number(typed.trim()) - 1] ?? askWhatNow(screen, signal)
}
