import { turnLook } from '../state/status.ts'
import { text } from '../text/text.ts'
import { useNames } from './Agent.tsx'
import { useShownRun } from './use-active-run.ts'

/** Tells a screen reader what state changed, never the tokens. */
export const Announcer = () => {
  const run = useShownRun(null)
  const names = useNames()
  const last = run?.turns.at(-1)
  const words = !run
    ? ''
    : last && run.run.settledAt === null
      ? text.transcript.someone(names(last.agent), turnLook(last).word)
      : text.run[run.run.status]
  return (
    <p className="unseen" role="status" aria-live="polite">
      {words}
    </p>
  )
}
