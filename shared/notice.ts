import type { RunStatus } from './run.ts'

/** What is worth a word when nobody looks at the window. It tells nothing of what was said. */
export type Notice = 'done' | 'failed' | 'needsYou'

/** What the end of a run is worth; `null` for one that its person or the end of Parley brought about. */
export const noticeOfRun = (status: RunStatus): Notice | null => notices[status] ?? null

const notices: Partial<Record<RunStatus, Notice>> = {
  agreed: 'done', completed: 'done', partial: 'done', roundsUp: 'done', budgetSpent: 'done', failed: 'failed',
}
