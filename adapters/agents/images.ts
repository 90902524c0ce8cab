import { access, constants, readFile } from 'node:fs/promises'
import { AppError } from '../../shared/errors.ts'
import type { Turn, TurnImage } from '../ports.ts'

/** The images of a turn with their content, read at this moment. Throws `turn.image-unreadable`. */
export const readImages = ({ images = [] }: Turn): Promise<{ mime: TurnImage['mime']; base64: string }[]> =>
  Promise.all(images.map(async ({ file, mime }) => ({ mime, base64: await readFile(file, 'base64').catch(refuse) })))

/** For an agent that reads the files by itself. Throws `turn.image-unreadable`. */
export const checkImages = async (images: readonly TurnImage[]): Promise<void> => {
  await Promise.all(images.map(({ file }) => access(file, constants.R_OK).catch(refuse)))
}

const refuse = (cause: unknown): never => {
  throw new AppError('turn.image-unreadable', 'An image of this message cannot be read any more.', { cause })
}
