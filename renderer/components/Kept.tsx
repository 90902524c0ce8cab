import { text } from '../text/text.ts'

/** What is kept and not shown, with the way to put something else in its place. */
export const Kept = ({ sentence, replace }: { sentence: string; replace: () => void }) => (
  <div className="row custom-kept">
    <span className="grow">{sentence}</span>
    <button type="button" className="button small" onClick={replace}>
      {text.custom.replace}
    </button>
  </div>
)
