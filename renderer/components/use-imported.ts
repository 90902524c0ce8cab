import { useWorld } from '../state/use-session.ts'

/** Whether a conversation was opened from a file, and is there to be looked at. */
export const useImported = (conversationId: string): boolean =>
  useWorld((world) => world.rows.some((row) => row.conversationId === conversationId && row.imported === true))
