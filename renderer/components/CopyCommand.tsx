import { useState } from 'react'
import { text } from '../text/text.ts'
import { Icon } from './icons.tsx'

/** One command, ready to copy. */
export const CopyCommand = ({ command }: { command: string }) => {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(command)
    setCopied(true)
  }
  return (
    <span className="command">
      <code className="mono cut" title={command}>
        {command}
      </code>
      <button
        type="button"
        className="button plain small square"
        aria-label={copied ? text.common.copied : text.common.copy}
        title={copied ? text.common.copied : text.common.copy}
        onClick={() => void copy()}
      >
        <Icon name={copied ? 'check' : 'copy'} small />
      </button>
    </span>
  )
}
