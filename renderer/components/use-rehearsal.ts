import { agentIds, kindOfAgent } from '../../shared/agent.ts'
import { roundsDefault } from '../../shared/limits.ts'
import { conversationPlace, useNavigation } from '../state/place.ts'
import { useSession } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { useCommand } from './use-command.ts'

/** Starts the onboarding's discussion: three scripted agents at one table, with a topic that shows every side. */
export function useRehearsal() {
  const { call, failure, busy } = useCommand()
  const session = useSession()
  const { go } = useNavigation()
  async function start() {
    const made = await call('conversation.create', {
      kind: 'group',
      name: text.welcome.rehearsalName,
      members: agentIds.filter((agent) => kindOfAgent(agent) === 'rehearsal'),
      workdir: null,
      allowWrite: false,
      settings: { rounds: roundsDefault, blindFirst: false },
    })
    if (!made) return
    await session.saveSettings({ welcomed: true })
    await call('message.send', {
      conversationId: made.conversationId,
      text: text.welcome.rehearsalTopic,
      targets: null,
      settings: null,
      unlimitedConfirmed: false,
    })
    go(conversationPlace(made.conversationId))
  }
  return { start, failure, busy }
}
