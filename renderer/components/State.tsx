import type { Look } from '../state/status.ts'
import { Icon } from './icons.tsx'

/** A state as shape and word, in its ink. */
export const State = ({
  look,
  small = false,
  wordless = false,
}: {
  look: Look
  small?: boolean
  wordless?: boolean
}) => (
  <span className="tone" data-tone={look.tone} title={wordless ? look.word : undefined}>
    <Icon name={look.icon} small={small} />
    {wordless ? <span className="unseen">{look.word}</span> : look.word}
  </span>
)
