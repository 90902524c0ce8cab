import type { ReactNode } from 'react'

/** One line of a form: what it is, and how it is said. */
export const Row = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="form-row">
    <span className="form-label">{label}</span>
    <div className="form-field">{children}</div>
  </div>
)

/** One line of text, spelled as a program would read it. */
export const TextField = ({
  label,
  hint,
  value,
  change,
  maxLength,
  autoFocus = false,
}: {
  label: string
  hint: string
  value: string
  change: (value: string) => void
  maxLength?: number
  autoFocus?: boolean
}) => (
  <input
    className="field"
    aria-label={label}
    placeholder={hint}
    spellCheck={false}
    autoFocus={autoFocus}
    maxLength={maxLength}
    value={value}
    onChange={(event) => change(event.target.value)}
  />
)
