import { useNavigation } from '../state/place.ts'
import { useWorld } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { waitingGates } from './gate-words.ts'
import { Icon } from './icons.tsx'

/** What waits for the person: absent when nothing does, solid when it is open. */
export const NeedsYou = ({ rail = false }: { rail?: boolean }) => {
  const { place, go } = useNavigation()
  const count = waitingGates(useWorld((world) => world.gates)).length
  const current = place.view === 'inbox'
  if (count === 0 && !current) return null
  return (
    <button
      type="button"
      className={rail ? 'rail-item needs-you' : 'needs-you'}
      data-item
      aria-current={current ? 'page' : undefined}
      aria-label={`${text.sidebar.needsYou}: ${count}`}
      onClick={() => go({ view: 'inbox', gateId: null })}
    >
      <Icon name="needs" />
      {rail ? null : <span className="grow">{text.sidebar.needsYou}</span>}
      <b>{count}</b>
    </button>
  )
}
