import type { Failure } from '../../shared/errors.ts'
import { text } from '../text/text.ts'
import { Icon } from './icons.tsx'

/** A refusal in the place where it happened, with its reason. */
export const Refusal = ({ failure }: { failure: Failure | null }) =>
  failure ? (
    <p className="refusal" role="alert">
      <Icon name="failed" small />
      <span>{text.errors[failure.code]}</span>
    </p>
  ) : null
