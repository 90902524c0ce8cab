import { useState } from 'react'
import type { AgentCard } from '../../shared/agent.ts'
import { useSession } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { Icon } from './icons.tsx'
import { State } from './State.tsx'

/** How far the search for agents has come, and the button that begins another. */
export const LookAgain = ({ agents }: { agents: readonly AgentCard[] }) => {
  const session = useSession()
  const [busy, setBusy] = useState(false)
  const settledCount = agents.filter(({ readiness }) => readiness !== 'checking').length
  const looking = busy || settledCount < agents.length
  const scan = async () => {
    setBusy(true)
    await session.scan()
    setBusy(false)
  }
  return (
    <>
      {looking ? (
        <State look={{ tone: 'working', icon: 'working', word: text.welcome.looking(settledCount, agents.length) }} />
      ) : null}
      <button type="button" className="button" disabled={busy} onClick={() => void scan()}>
        <Icon name="again" small />
        {text.welcome.lookAgain}
      </button>
    </>
  )
}
