import { useState } from 'react'
import type { AgentCard } from '../../shared/agent.ts'
import { text } from '../text/text.ts'
import { speakable } from './Agent.tsx'
import { Refusal } from './Refusal.tsx'
import { useCommand } from './use-command.ts'

/** Lets an agent answer one short question, and says how long that took; what went wrong stands in its card. */
export const TestConnection = ({ card }: { card: AgentCard }) => {
  const { call, failure, busy } = useCommand()
  const [tookMs, setTookMs] = useState<number | null>(null)
  const test = async () => {
    setTookMs(null)
    const result = await call('agents.test', { agent: card.agent })
    if (result?.ok) setTookMs(result.tookMs)
  }
  if (card.rehearsal || !speakable(card)) return null
  return (
    <>
      <button type="button" className="button plain" disabled={busy} onClick={() => void test()}>
        {busy ? text.test.going : text.test.start}
      </button>
      <span role="status" className="meta">
        {tookMs === null ? '' : text.test.answered(tookMs / 1_000)}
      </span>
      <Refusal failure={failure} />
    </>
  )
}
