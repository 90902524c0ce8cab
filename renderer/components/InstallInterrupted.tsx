import { useNavigation } from '../state/place.ts'
import { useWorld } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { useNames } from './Agent.tsx'
import { Icon } from './icons.tsx'
import { useCommand } from './use-command.ts'

/** Says that the last start did not finish an installation, until it is tried again or let be. */
export const InstallInterrupted = () => {
  const install = useWorld((world) => world.install)
  const names = useNames()
  const { go } = useNavigation()
  const { call, busy } = useCommand()
  if (install?.state !== 'interrupted') return null
  const { agent, taskId } = install
  return (
    <div className="app-banner" data-tone="idle" role="status">
      <Icon name="interrupted" small />
      <span className="grow">{text.install.interruptedBanner(names(agent))}</span>
      <button type="button" className="button small" onClick={() => go({ view: 'agents', agent })}>
        {text.install.show(names(agent))}
      </button>
      <button
        type="button"
        className="button small"
        disabled={busy}
        onClick={() => void call('install.cancel', { taskId })}
      >
        {text.install.leave}
      </button>
    </div>
  )
}
