import { useState } from 'react'
import { moment } from '../state/time.ts'
import { useWorld } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { Icon } from './icons.tsx'
import { Refusal } from './Refusal.tsx'
import { useCommand } from './use-command.ts'

/** Says, until it was read, that the record was damaged, what was opened in its place, and where the damaged one is. */
export const RestoredBanner = () => {
  const note = useWorld((world) => world.app.restored)
  const { call, failure, busy } = useCommand()
  const [now] = useState(() => Date.now())
  if (!note) return null
  const words = text.restored
  return (
    <section className="app-banner" data-tone="warned" role="status" aria-label={words.label}>
      <Icon name="warning" small />
      <span className="grow">
        {words.because(note.reason)} <b>{words.title(moment(note.from, now))}</b> {words.lost}{' '}
        {note.kept === null ? words.nothingKept : words.kept(note.kept)}
        <Refusal failure={failure} />
      </span>
      <button
        type="button"
        className="button small"
        disabled={busy}
        onClick={() => void call('app.restoredRead', {})}
      >
        {words.read}
      </button>
    </section>
  )
}
