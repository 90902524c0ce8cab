import type { Failure } from '../../shared/errors.ts'
import { text } from '../text/text.ts'
import { Icon } from './icons.tsx'

/** A refusal in the place where it happened, with its reason. */
export const Refusal = ({ failure }: { failure: Failure | null }) =>
  failure ? (
    <p className="refusal" role="alert">
      <Icon name="failed" small />
      <span>{sentenceOf(failure)}</span>
    </p>
  ) : null

/** Where it matters whom a refusal is about, it names them. */
const sentenceOf = ({ code, params }: Failure): string =>
  code === 'agent.not-held' && typeof params?.['agent'] === 'string'
    ? text.custom.refusedAsLoose(params['agent'])
    : text.errors[code]
