import type { Failure } from '../../shared/errors.ts'
import { Icon } from './icons.tsx'
import { refusalWords } from './refusal-words.ts'

/** A refusal in the place where it happened, with its reason. */
export const Refusal = ({ failure }: { failure: Failure | null }) =>
  failure ? (
    <p className="refusal" role="alert">
      <Icon name="failed" small />
      <span>{refusalWords(failure)}</span>
    </p>
  ) : null
