import type { InstallState, InstallView } from '../../shared/install.ts'
import { installLook } from '../state/status.ts'
import { text } from '../text/text.ts'
import { Icon } from './icons.tsx'
import { InstallLog } from './InstallLog.tsx'
import { Refusal } from './Refusal.tsx'
import { State } from './State.tsx'
import { useCommand } from './use-command.ts'

const steps = ['checking', 'verifying', 'fetching', 'installing', 'confirming'] as const

/** An installation that goes on: where it is, how far, what npm says, and the way out. */
export const InstallProgress = ({ install, name }: { install: InstallView; name: string }) => {
  const { call, failure, busy } = useCommand()
  const { state, taskId, fetched } = install
  const clearing = state === 'clearing'
  const counts = fetched > 0 && (state === 'fetching' || state === 'installing')
  return (
    <section className="install" aria-label={text.install.title(name)} aria-busy="true">
      <header className="row">
        <span role="status">
          <State look={installLook(state)} />
        </span>
        {counts ? <span className="meta">{text.install.fetched(fetched)}</span> : null}
        <span className="grow" />
        <button
          type="button"
          className="button small"
          disabled={busy || clearing}
          onClick={() => void call('install.cancel', { taskId })}
        >
          {busy || clearing ? text.install.cancelling : text.install.cancel}
        </button>
      </header>
      <ol className="install-steps" aria-label={text.install.stepsLabel}>
        {steps.map((step) => (
          <li
            key={step}
            className="tone"
            data-tone={markOf(step, state)}
            aria-current={step === state ? 'step' : undefined}
          >
            <Icon name={markOf(step, state)} small />
            {text.install.steps[step]}
          </li>
        ))}
      </ol>
      <InstallLog lines={install.log} />
      <Refusal failure={failure} />
    </section>
  )
}

const isPast = (step: (typeof steps)[number], state: InstallState) =>
  steps.indexOf(step) < steps.findIndex((each) => each === state)

/** Names its tone and its icon. */
const markOf = (step: (typeof steps)[number], state: InstallState) =>
  step === state ? 'working' : isPast(step, state) ? 'done' : 'idle'
