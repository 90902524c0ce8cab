import { text } from '../text/text.ts'
import { Icon } from './icons.tsx'

/** Says which provider the agent works with. */
export const InUse = () => (
  <span className="provider-used">
    <Icon name="check" small />
    {text.providers.inUse}
  </span>
)
