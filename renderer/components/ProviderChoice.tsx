import { text } from '../text/text.ts'
import { Icon } from './icons.tsx'

interface ProviderChoiceProps {
  name: string
  active: boolean
  busy: boolean
  choose: () => void
}

/** Says that the agent works with this provider, or lets it. */
export const ProviderChoice = ({ name, active, busy, choose }: ProviderChoiceProps) => {
  const words = text.providers
  return active ? (
    <span className="provider-used">
      <Icon name="check" small />
      {words.inUse}
    </span>
  ) : (
    <button
      type="button"
      className="button small"
      aria-label={words.chooseOf(name)}
      disabled={busy}
      onClick={choose}
    >
      {words.choose}
    </button>
  )
}
