import { useWorld } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { Icon } from './icons.tsx'
import { useCommand } from './use-command.ts'

/** Says all the time that Parley closes once what runs has ended, and lets the person think again. */
export const QuitWaiting = () => {
  const waits = useWorld((world) => world.app.quitting === 'waiting')
  const { call, busy } = useCommand()
  if (!waits) return null
  return (
    <div className="app-banner" data-tone="idle" role="status">
      <Icon name="power" small />
      <span className="grow">{text.quit.waiting}</span>
      <button
        type="button"
        className="button small"
        disabled={busy}
        onClick={() => void call('app.quit', { wish: 'cancel' })}
      >
        {text.quit.stay}
      </button>
      <button
        type="button"
        className="button small"
        disabled={busy}
        onClick={() => void call('app.quit', { wish: 'now' })}
      >
        {text.quit.now}
      </button>
    </div>
  )
}
