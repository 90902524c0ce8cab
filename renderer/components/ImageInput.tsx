import { useRef } from 'react'
import type { AgentId } from '../../shared/agent.ts'
import { ImageMime } from '../../shared/image-head.ts'
import { imagesPerMessageMax } from '../../shared/limits.ts'
import { useWorld } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { useNames } from './Agent.tsx'
import { Icon } from './icons.tsx'
import { refusalWords } from './refusal-words.ts'
import type { useDraftImages } from './use-draft-images.ts'

/** A button that lets the person choose image files. */
export const PickImages = ({ add }: { add: (files: readonly File[]) => void }) => {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={ImageMime.options.join(',')}
        onChange={(event) => {
          add([...(event.target.files ?? [])])
          // the same file may be chosen again
          event.target.value = ''
        }}
      />
      <button
        type="button"
        className="button plain square"
        aria-label={text.images.add}
        title={text.images.addTip}
        onClick={() => input.current?.click()}
      >
        <Icon name="image" />
      </button>
    </>
  )
}

/** What is being added, what was refused and why, and who of those asked cannot be given so many. */
export const ImageNotices = ({
  adding,
  refused,
  count,
  asked,
}: Pick<ReturnType<typeof useDraftImages>, 'adding' | 'refused'> & { count: number; asked: readonly AgentId[] }) => {
  const unable = useUnable(asked, count)
  return (
    <>
      {adding === 0 ? null : (
        <p className="image-adding" role="status">
          <Icon name="working" small />
          {text.images.adding(adding)}
        </p>
      )}
      {refused.map(({ place, name, failure }) => (
        <p key={place} className="refusal" role="alert">
          <Icon name="failed" small />
          <span>{text.images.refused(name, refusalWords(failure))}</span>
        </p>
      ))}
      {unable.length === 0 ? null : (
        <p className="image-warning" role="status">
          <Icon name="warning" small />
          <span>{text.images.cannot(text.list(unable))}</span>
        </p>
      )}
      {count < imagesPerMessageMax ? null : <p className="meta">{text.images.room(count, imagesPerMessageMax)}</p>}
    </>
  )
}

/** The names of those asked who take fewer images than there are. */
function useUnable(asked: readonly AgentId[], count: number): string[] {
  const cards = useWorld((world) => world.agents)
  const names = useNames()
  return asked
    .filter((agent) => cards.some((card) => card.agent === agent && card.abilities.imagesMax < count))
    .map(names)
}
