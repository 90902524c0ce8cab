import { nameOfAgent } from '../../shared/agent.ts'
import type { QuitSurvey, QuitWish } from '../../shared/quit.ts'

const namedMax = 5

/** What to ask before quitting while something runs; `null` when nothing would be interrupted. */
export const quitQuestion = ({ interrupts, keeps, install }: QuitSurvey) => {
  const ends = [
    ...interrupts.map(({ name }) => name),
    ...(install ? [`the installation of ${nameOfAgent(install.agent).name}`] : []),
  ]
  if (ends.length === 0) return null
  return {
    type: 'question' as const,
    message: ends.length === 1 ? 'Something is still running.' : `${ends.length} are still running.`,
    detail: [
      'Quitting interrupts:',
      ...listed(ends),
      'What was said so far is kept, and can be gone on from.',
      ...(keeps.length > 0 ? ['Waits for you, and goes on after the next start:', ...listed(keeps.map(nameOf))] : []),
    ].join('\n'),
    buttons: ['Wait', 'Quit now', 'Cancel'],
    defaultId: 0,
    cancelId: 2,
  }
}

/** What the person wants, by the number of the button. */
export const quitWishOf = (button: number): QuitWish => (['wait', 'now'] as const)[button] ?? 'cancel'

const nameOf = ({ name }: { name: string }) => name

const listed = (names: readonly string[]): string[] => {
  const more = names.length > namedMax ? [`and ${names.length - namedMax} more`] : []
  return [...names.slice(0, namedMax).map((name) => `• ${name}`), ...more]
}
