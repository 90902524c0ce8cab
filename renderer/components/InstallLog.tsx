import { useState } from 'react'
import { text } from '../text/text.ts'
import { CopyButton } from './CopyButton.tsx'
import { Icon } from './icons.tsx'

/** What npm said, opened and copied by whoever wants to know. */
export const InstallLog = ({ lines }: { lines: readonly string[] }) => {
  const [open, setOpen] = useState(false)
  return (
    <div className="install-log">
      <div className="row">
        <button type="button" className="button plain small" aria-expanded={open} onClick={() => setOpen(!open)}>
          <Icon name={open ? 'down' : 'right'} small />
          {text.install.log}
        </button>
        {open && lines.length > 0 ? <CopyButton source={() => lines.join('\n')} /> : null}
      </div>
      {open ? (
        <pre className="prompt">{lines.length === 0 ? text.install.logEmpty : lines.join('\n')}</pre>
      ) : null}
    </div>
  )
}
