import { Icon } from '../components/icons.tsx'
import { short } from '../state/time.ts'
import { text } from '../text/text.ts'
import { usageOf, type Picture } from './picture.ts'

/** What the run had used by then, as its agents had reported it. */
export const PastUsage = ({ picture }: { picture: Picture }) => {
  const { inputTokens, outputTokens, costUsd, provenance } = usageOf(picture.run.turns)
  const isReading = [...picture.heard.values()].some(({ known }) => known === 'reading')
  const words = text.past
  const tokens = text.tokens(short(inputTokens + outputTokens), provenance === 'estimated')
  const told = [
    ...(provenance === 'unknown' ? [words.usageNone] : [tokens, words.usage(short(inputTokens), short(outputTokens))]),
    ...(costUsd === null ? [] : [text.cost(costUsd.toFixed(2), provenance)]),
    ...(isReading ? [words.usageReading] : []),
  ]
  return (
    <p className="past-usage row">
      <Icon name="coin" small />
      <span className="meta">{words.usageBy}</span>
      <span className="cut">{told.join(text.common.dot)}</span>
    </p>
  )
}
