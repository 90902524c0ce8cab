import { useRef, useState } from 'react'
import { refuseSize, type ImageNote } from '../../shared/attachment.ts'
import { AppError, toFailure, type Failure } from '../../shared/errors.ts'
import { imageNameMaxCharacters, imagesPerMessageMax } from '../../shared/limits.ts'
import { readBase64 } from '../state/read-file.ts'
import { useSession } from '../state/use-session.ts'

/** Why one file did not become an image of the draft. */
interface Refused {
  /** Which of the files it was, since several may have one name. */
  place: number
  name: string
  failure: Failure
}

/** The images of a draft, which main keeps: added one after another in their order, each refused by itself. */
export function useDraftImages(conversationId: string) {
  const session = useSession()
  const [adding, setAdding] = useState(0)
  const [refused, setRefused] = useState<readonly Refused[]>([])
  const last = useRef(Promise.resolve())

  /** What comes while others are still being added waits for them. */
  function add(files: readonly File[]) {
    if (adding === 0) setRefused([])
    setAdding((before) => before + files.length)
    for (const file of files) last.current = last.current.then(() => addNext(file))
  }

  async function addNext(file: File) {
    const name = shortened(file.name)
    const failure = await addOne(file, name)
    if (failure) setRefused((before) => [...before, { place: before.length, name, failure }])
    setAdding((before) => before - 1)
  }

  /** Looks at the room and at the size before anything is read. */
  async function addOne(file: File, name: string): Promise<Failure | null> {
    const kept = session.model.world?.conversations[conversationId]?.draftImages ?? []
    if (kept.length >= imagesPerMessageMax) return noRoom
    try {
      refuseSize(file.size)
      const dataBase64 = await readBase64(file)
      return await session.addImage({ conversationId, name, type: file.type, dataBase64 })
    } catch (error) {
      return error instanceof AppError ? toFailure(error) : unreadable
    }
  }

  async function remove({ imageId, name }: ImageNote) {
    const failure = await session.removeImage(conversationId, imageId)
    setRefused(failure ? [{ place: 0, name, failure }] : [])
  }

  return { adding, refused, add, remove, forget: () => setRefused([]) }
}

const noRoom: Failure = { code: 'image.too-many', message: 'A message takes no more images.' }
const unreadable: Failure = { code: 'image.broken', message: 'The file could not be read.' }

/** A long name keeps its ending. */
const shortened = (name: string) =>
  name.length <= imageNameMaxCharacters ? name || 'image' : name.slice(-imageNameMaxCharacters)
