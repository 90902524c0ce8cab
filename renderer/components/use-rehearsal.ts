import { useState } from 'react'
import { agentIds, kindOfAgent } from '../../shared/agent.ts'
import type { Failure } from '../../shared/errors.ts'
import { roundsDefault } from '../../shared/limits.ts'
import { conversationPlace, useNavigation } from '../state/place.ts'
import { useSession } from '../state/use-session.ts'
import { text } from '../text/text.ts'

/** Starts the onboarding's discussion: three scripted agents at one table, with a topic that shows every side. */
export function useRehearsal() {
  const session = useSession()
  const { go } = useNavigation()
  const [failure, setFailure] = useState<Failure | null>(null)
  const [busy, setBusy] = useState(false)

  async function begin(): Promise<Failure | null> {
    const made = await session.call('conversation.create', {
      kind: 'group',
      name: text.welcome.rehearsalName,
      members: agentIds.filter((agent) => kindOfAgent(agent) === 'rehearsal'),
      workdir: null,
      allowWrite: false,
      settings: { rounds: roundsDefault, blindFirst: false },
    })
    if (!made.ok) return made.failure
    await session.saveSettings({ welcomed: true })
    const sent = await session.call('message.send', {
      conversationId: made.value.conversationId,
      text: text.welcome.rehearsalTopic,
      targets: null,
      settings: null,
      unlimitedConfirmed: false,
    })
    if (!sent.ok) return sent.failure
    go(conversationPlace(made.value.conversationId))
    return null
  }

  /** Gives back why it did not begin, for those who have no place of their own to say it. */
  async function start(): Promise<Failure | null> {
    if (busy) return null
    setBusy(true)
    const refused = await begin()
    setBusy(false)
    setFailure(refused)
    return refused
  }
  return { start, failure, busy }
}
