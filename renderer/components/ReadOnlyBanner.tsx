import { readOnlyWords } from '../screens/Start.tsx'
import { useWorld } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { Icon } from './icons.tsx'

/** Says all the time that nothing can be written, and why. */
export const ReadOnlyBanner = () => {
  const failure = useWorld((world) => world.app.readOnly)
  const empty = useWorld((world) => world.rows.length === 0)
  // where there is nothing to show, the whole window says it
  if (!failure || empty) return null
  return (
    <p className="app-banner" role="status">
      <Icon name="lock" small />
      <span>
        <b>{text.start.banner}</b> {text.errors[failure.code]} {readOnlyWords(failure)}
      </span>
    </p>
  )
}
