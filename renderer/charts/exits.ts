import { personExits, type Chart } from '../../machines/chart/reading.ts'
import type { IconName } from '../components/icons.tsx'
import { exitWord } from './chart-words.ts'

/** Something that a person may cause now, as a button. */
export interface Exit {
  event: string
  edgeId: string
  word: string
  icon: IconName
  busy: boolean
  take: () => void
}

const icons: Readonly<Record<string, IconName>> = {
  'run.stop': 'stop',
  'run.pause': 'pause',
  'run.resume': 'play',
  'attempt.stop': 'stop',
  'attempt.retry': 'again',
  'attempt.kill': 'bolt',
  'gate.answered': 'needs',
  'gate.answer': 'needs',
}

/** The exits of these states that the window has a command for, each event once. */
export function exitsOf(
  chart: Chart,
  active: readonly string[],
  round: number,
  commands: Readonly<Record<string, (() => void) | undefined>>,
  busy: boolean,
): Exit[] {
  const found = new Map<string, Exit>()
  for (const word of personExits(chart, active)) {
    const { event } = word
    if (event === null || found.has(event)) continue
    const label = exitWord(word, round)
    const take = commands[event]
    if (label !== null && take)
      found.set(event, { event, edgeId: word.id, word: label, icon: icons[event] ?? 'right', busy, take })
  }
  return [...found.values()]
}
