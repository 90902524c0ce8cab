import type { QuitSurvey } from '../../shared/quit.ts'
import type { Composition } from '../shell.ts'
import type { Work } from '../work.ts'
import type { Installs } from './installs.ts'

/** What quitting now would cut off, and what it would not. Nothing is cut off where `work` is `null`. */
export const quitSurvey = (work: Work | null, installs: Installs): QuitSurvey => {
  const install = installs.goingOn
  if (!work) return { interrupts: [], keeps: [], install }
  const { runs, stores } = work
  const rowsOf = (runIds: readonly string[]) =>
    runIds.flatMap((runId) => stores.list.row(stores.runs.get(runId)?.conversationId ?? '') ?? [])
  const [keeps, interrupts] = [true, false].map((resting) =>
    rowsOf(runs.liveIds.filter((runId) => runs.isResting(runId) === resting)))
  return { interrupts: interrupts ?? [], keeps: keeps ?? [], install }
}

/** How many things quitting would cut off. */
export const numberIn = ({ interrupts, install }: QuitSurvey): number => interrupts.length + (install ? 1 : 0)

/** Calls back once quitting would cut nothing off, now or later; gives back the way to stop. */
export const whenRested = (office: Pick<Composition, 'onPush' | 'survey'>, rested: () => void): (() => void) => {
  const look = () => {
    if (numberIn(office.survey()) === 0) rested()
  }
  const stop = office.onPush((topic) => {
    if (topic === 'conversations.changed' || topic === 'install.changed') look()
  })
  look()
  return stop
}
