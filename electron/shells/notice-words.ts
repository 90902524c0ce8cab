import type { Notice } from '../../shared/notice.ts'

/** What the system shows: nothing of what was said, for anybody may stand before the screen. */
export const noticeWords: Record<Notice, string> = {
  done: 'A run has ended.',
  failed: 'A run has failed.',
  needsYou: 'An agent waits for your answer.',
}
