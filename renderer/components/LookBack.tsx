import type { RunRecord } from '../../shared/run.ts'
import { pastPlace, useNavigation } from '../state/place.ts'
import { text } from '../text/text.ts'
import { Icon } from './icons.tsx'

/** The way into the past of a run, whether it has ended or goes on. */
export const LookBack = ({ run, small = false }: { run: RunRecord; small?: boolean }) => {
  const { go } = useNavigation()
  return (
    <button
      type="button"
      className={small ? 'button small' : 'button'}
      title={text.past.openTip}
      onClick={() => go(pastPlace(run))}
    >
      <Icon name="clock" small={small} />
      {text.past.open}
    </button>
  )
}
