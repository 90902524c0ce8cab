import * as z from 'zod'
import { AppError } from '../../shared/errors.ts'

/** Where a page of conversations ended: the place after the last row that was looked at. */
export interface ListPlace {
  updatedAt: number
  conversationId: string
}

export const listCursor = ({ updatedAt, conversationId }: ListPlace) => `${updatedAt}:${conversationId}`

/** Throws `ipc.bad-input` for a cursor that this program did not make. */
export const readListCursor = (cursor: string): ListPlace => {
  const [, updatedAt, conversationId] = /^(\d{1,16}):(.+)$/.exec(cursor) ?? []
  if (!updatedAt || !conversationId) throw badCursor()
  return { updatedAt: Number(updatedAt), conversationId }
}

/** Throws `ipc.bad-input` for a cursor that this program did not make. */
export const readPositionCursor = (cursor: string): number => {
  const position = z.string().regex(/^\d{1,15}$/).safeParse(cursor)
  if (!position.success) throw badCursor()
  return Number(position.data)
}

const badCursor = () => new AppError('ipc.bad-input', 'This place in the list is not known.')
