import { useEffect, useState } from 'react'
import type { ImageNote } from '../../shared/attachment.ts'
import { useNavigation } from '../state/place.ts'
import { bytes } from '../state/time.ts'
import { useSession } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { Icon } from './icons.tsx'
import { Sheet } from './Sheet.tsx'

/** Those of a message that is being written: small, with their names, each to be taken off. */
export const DraftImages = ({
  images,
  remove,
}: {
  images: readonly ImageNote[]
  remove: (image: ImageNote) => void
}) =>
  images.length === 0 ? null : (
    <ul className="draft-images" aria-label={text.images.list}>
      {images.map((image) => (
        <li key={image.imageId}>
          <Thumbnail image={image} />
          <span className="image-name">
            <span className="cut" title={image.name}>
              {image.name}
            </span>
            <span className="dim cut">{factsOf(image)}</span>
          </span>
          <button
            type="button"
            className="button plain small square"
            aria-label={text.images.remove(image.name)}
            title={text.images.remove(image.name)}
            onClick={() => remove(image)}
          >
            <Icon name="close" small />
          </button>
        </li>
      ))}
    </ul>
  )

/** Those of a message that was sent. */
export const SentImages = ({ images }: { images: readonly ImageNote[] }) =>
  images.length === 0 ? null : (
    <ul className="sent-images" aria-label={text.images.list}>
      {images.map((image) => (
        <li key={image.imageId}>
          <Thumbnail image={image} />
        </li>
      ))}
    </ul>
  )

/** One image as large as the window allows, with what is known of it. */
export const ImageSheet = ({ image }: { image: ImageNote }) => {
  const { show } = useNavigation()
  return (
    <Sheet label={image.name} className="image-sheet">
      <Picture image={image} />
      <div className="image-foot">
        <h2 className="title cut grow" title={image.name}>
          {image.name}
        </h2>
        <span className="meta">{factsOf(image)}</span>
        <button type="button" className="button" onClick={() => show(null)}>
          {text.common.close}
        </button>
      </div>
    </Sheet>
  )
}

const Thumbnail = ({ image }: { image: ImageNote }) => {
  const { show } = useNavigation()
  return (
    <button
      type="button"
      className="thumbnail"
      aria-label={text.images.open(image.name)}
      title={image.name}
      onClick={() => show({ name: 'image', image })}
    >
      <Picture image={image} />
    </button>
  )
}

/** Its own proportions hold its place while it is read, so that nothing moves. */
const Picture = ({ image: { imageId, name, width, height } }: { image: ImageNote }) => {
  const { address, isMissing } = useAddress(imageId)
  if (isMissing) {
    return (
      <span className="picture-missing" role="img" aria-label={text.images.missing(name)}>
        <Icon name="warning" />
      </span>
    )
  }
  const style = { aspectRatio: `${width} / ${height}` }
  return <img src={address ?? nothing} alt={name} width={width} height={height} style={style} draggable={false} />
}

/** One transparent dot. */
const nothing = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

/** The image as the page may draw it; `null` until it was read, or when it cannot be. */
function useAddress(imageId: string) {
  const session = useSession()
  const [read, setRead] = useState<{ imageId: string; address: string | null } | null>(null)
  useEffect(() => {
    let wanted = true
    void session.call('image.read', { imageId }).then((reply) => {
      if (wanted) setRead({ imageId, address: reply.ok ? reply.value.dataUrl : null })
      return undefined
    })
    return () => {
      wanted = false
    }
  }, [session, imageId])
  const known = read?.imageId === imageId ? read : null
  return { address: known?.address ?? null, isMissing: known !== null && known.address === null }
}

const factsOf = ({ width, height, bytes: size }: ImageNote) =>
  text.images.facts(width.toLocaleString(text.locale), height.toLocaleString(text.locale), bytes(size))
