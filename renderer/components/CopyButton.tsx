import { useState } from 'react'
import { text } from '../text/text.ts'
import { Icon } from './icons.tsx'

type Outcome = 'none' | 'copied' | 'refused'

/** Copies something, and says whether it could. */
export const CopyButton = ({ source, framed = false }: { source: () => string; framed?: boolean }) => {
  const [outcome, setOutcome] = useState<Outcome>('none')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(source())
      setOutcome('copied')
    } catch {
      setOutcome('refused')
    }
  }
  const word = { none: text.common.copy, copied: text.common.copied, refused: text.common.notCopied }[outcome]
  return (
    <button
      type="button"
      className={`button small square${framed ? '' : ' plain'}`}
      aria-label={word}
      title={word}
      onClick={() => void copy()}
      onBlur={() => setOutcome('none')}
    >
      <Icon name={outcome === 'copied' ? 'check' : outcome === 'refused' ? 'failed' : 'copy'} small />
    </button>
  )
}
