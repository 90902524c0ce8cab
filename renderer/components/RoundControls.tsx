import { roundsMax, roundsMin } from '../../shared/limits.ts'
import type { RoundSettings } from '../../shared/conversation.ts'
import { text } from '../text/text.ts'
import { Icon } from './icons.tsx'

const unlimited = 'unlimited'
const counts = Array.from({ length: roundsMax - roundsMin + 1 }, (_, index) => roundsMin + index)

/** How many rounds, and whether the first is blind. */
export const RoundControls = ({
  settings,
  change,
}: {
  settings: RoundSettings
  change: (settings: RoundSettings) => void
}) => (
  <>
    <label className="select-box">
      <Icon name={settings.blindFirst ? 'blind' : 'lines'} small />
      <span className="unseen">{text.composer.order}</span>
      <select
        className="select"
        value={settings.blindFirst ? 'blind' : 'inTurn'}
        onChange={(event) => change({ ...settings, blindFirst: event.target.value === 'blind' })}
      >
        <option value="inTurn">{text.composer.inTurn}</option>
        <option value="blind">{text.composer.blind}</option>
      </select>
      <Icon name="down" small />
    </label>
    <label className="select-box">
      <Icon name="rounds" small />
      <span className="unseen">{text.composer.roundsLabel}</span>
      <select
        className="select"
        value={settings.rounds ?? unlimited}
        onChange={(event) =>
          change({ ...settings, rounds: event.target.value === unlimited ? null : Number(event.target.value) })
        }
      >
        {counts.map((n) => (
          <option key={n} value={n}>
            {text.composer.rounds(n)}
          </option>
        ))}
        <option value={unlimited}>{text.composer.unlimited}</option>
      </select>
      <Icon name="down" small />
    </label>
  </>
)
