import { useEffect } from 'react'
import { turnLook } from '../state/status.ts'
import { useWorld } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { useNames } from './Agent.tsx'
import { gateAskerName, gateHeading, waitingGates } from './gate-words.ts'
import { useShownRun } from './use-active-run.ts'

/** Tells a screen reader what state changed and what waits, never the tokens; the title of the window counts it too. */
export const Announcer = () => {
  const run = useShownRun(null)
  const names = useNames()
  const gates = waitingGates(useWorld((world) => world.gates))
  const last = run?.turns.at(-1)
  const newest = gates.toSorted((a, b) => b.askedAt - a.askedAt)[0]
  const state = !run
    ? ''
    : last && run.run.settledAt === null
      ? text.transcript.someone(names(last.agent), turnLook(last).word)
      : text.run[run.run.status]
  const title = gates.length === 0 ? text.name : text.titleWaiting(gates.length)
  useEffect(() => nameWindow(title), [title])
  return (
    <>
      <p className="unseen" role="status" aria-live="polite">
        {state}
      </p>
      <p className="unseen" role="status" aria-live="assertive">
        {newest ? `${text.sidebar.needsYou}: ${gateHeading(newest, gateAskerName(newest, names))}` : ''}
      </p>
    </>
  )
}

function nameWindow(title: string) {
  document.title = title
}
