import { Icon, type IconName } from './icons.tsx'

/** A button that is only an icon: its label is read out, and shown with its key, if it has one, on hovering. */
export const IconButton = ({
  icon,
  label,
  keys,
  act,
}: {
  icon: IconName
  label: string
  keys?: string
  act: () => void
}) => (
  <button
    type="button"
    className="button plain square"
    aria-label={label}
    title={keys === undefined ? label : `${label} (${keys})`}
    onClick={act}
  >
    <Icon name={icon} />
  </button>
)
