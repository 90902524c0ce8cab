import type { ConversationRow } from '../../shared/view.ts'

const namedMax = 5

/** What to ask before quitting while something runs; `null` when nothing would be interrupted. */
export const quitQuestion = (running: readonly Pick<ConversationRow, 'name'>[]) => {
  if (running.length === 0) return null
  const names = running.slice(0, namedMax).map(({ name }) => `• ${name}`)
  const more = running.length > namedMax ? [`and ${running.length - namedMax} more`] : []
  return {
    type: 'question' as const,
    message: running.length === 1 ? 'A conversation is still running.' : `${running.length} are still running.`,
    detail: ['Quitting interrupts:', ...names, ...more, 'What was said so far is kept.'].join('\n'),
    buttons: ['Stay', 'Quit'],
    defaultId: 0,
    cancelId: 0,
  }
}
