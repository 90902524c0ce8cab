import type { TestOffice } from './office.ts'
import { pngOf } from './small-images.ts'

/** A small image; each shade is another content. */
export const picture = (shade = 1) => pngOf(4, 3, () => [shade, 0, 0])

/** Whether it is the first of them. */
export const isPicture = (content: Uint8Array) => picture().equals(content)

/** Adds an image to the draft and gives back its id. */
export const addImage = async (office: TestOffice, conversationId: string, content = picture(), name = 'shot.png') => {
  const dataBase64 = content.toString('base64')
  const { image } = await office.handlers['image.add']({ conversationId, name, type: '', dataBase64 })
  return image.imageId
}
