import { useState } from 'react'
import type { Failure } from '../../shared/errors.ts'
import type { Settings } from '../../shared/settings.ts'
import { slotsMax } from '../../shared/limits.ts'
import { useSession, useWorld } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { Row } from './FormFields.tsx'
import { Icon } from './icons.tsx'
import { Refusal } from './Refusal.tsx'
import { Sheet } from './Sheet.tsx'

const minute = 60_000
const silences = [1, 2, 5, 10, 20, 30, 60]
const caps = [5, 10, 15, 30, 60, 120, 240, 480]
const slots = Array.from({ length: slotsMax }, (_, index) => index + 1)
const themes: readonly Settings['theme'][] = ['system', 'light', 'dark']

/** What a person may set: the look, the clocks of an attempt, and how many agents run at once. */
export const SettingsSheet = () => {
  const session = useSession()
  const settings = useWorld((world) => world.settings)
  // only there does the system take them
  const notifies = useWorld((world) => world.app.shell === 'electron')
  const words = text.settings
  const [failure, setFailure] = useState<Failure | null>(null)
  const save = (patch: Partial<Settings>) => void session.saveSettings(patch).then(setFailure)
  return (
    <Sheet label={words.title}>
      <h2 className="view-title">{words.title}</h2>
      <div className="form-row">
        <span className="form-label">{words.theme}</span>
        <div className="segments" role="group" aria-label={words.theme}>
          {themes.map((theme) => (
            <button key={theme} type="button" aria-pressed={settings.theme === theme} onClick={() => save({ theme })}>
              {words.themes[theme]}
            </button>
          ))}
        </div>
      </div>
      <Choice
        label={words.silence}
        hint={words.silenceHint}
        value={settings.silenceMs}
        choices={minutes(silences, settings.silenceMs)}
        change={(silenceMs) => save({ silenceMs })}
      />
      <Choice
        label={words.cap}
        hint={words.capHint}
        value={settings.capMs}
        choices={minutes(caps, settings.capMs)}
        change={(capMs) => save({ capMs })}
      />
      <Choice
        label={words.slots}
        hint={words.slotsHint}
        value={settings.slots ?? 0}
        choices={[[0, words.automatic], ...slots.map((n): [number, string] => [n, words.agents(n)])]}
        change={(n) => save({ slots: n === 0 ? null : n })}
      />
      {notifies ? (
        <div className="form-row">
          <span className="form-label">{words.notifications}</span>
          <div className="segments" role="group" aria-label={words.notifications}>
            {[true, false].map((on) => (
              <button
                key={String(on)}
                type="button"
                aria-pressed={settings.notifications === on}
                onClick={() => save({ notifications: on })}
              >
                {on ? words.on : words.off}
              </button>
            ))}
          </div>
          <p className="meta">{words.notificationsHint}</p>
        </div>
      ) : null}
      <Refusal failure={failure} />
      {failure ? <p className="meta">{words.unkept}</p> : null}
    </Sheet>
  )
}

/** The usual lengths, and the one that is set. */
const minutes = (usual: readonly number[], ms: number): [number, string][] =>
  [...new Set([...usual.map((n) => n * minute), ms])]
    .toSorted((a, b) => a - b)
    .map((one) => [one, text.settings.minutes(one / minute)])

interface ChoiceProps {
  label: string
  hint: string
  value: number
  choices: readonly (readonly [number, string])[]
  change: (value: number) => void
}

const Choice = ({ label, hint, value, choices, change }: ChoiceProps) => (
  <Row label={label}>
    <label className="select-box framed">
      <span className="unseen">{label}</span>
      <select className="select" value={value} onChange={(event) => change(Number(event.target.value))}>
        {choices.map(([one, word]) => (
          <option key={one} value={one}>
            {word}
          </option>
        ))}
      </select>
      <Icon name="down" small />
    </label>
    <p className="meta">{hint}</p>
  </Row>
)
