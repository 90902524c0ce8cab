import * as z from 'zod'
import { AgentId } from './agent.ts'
import { ConversationRow } from './view.ts'

/** What a person may want of quitting: to be asked, to wait for what runs, to quit at once, to stay. */
export const QuitWish = z.enum(['ask', 'wait', 'now', 'cancel'])
export type QuitWish = z.infer<typeof QuitWish>

/** What quitting now would mean. */
export const QuitSurvey = z.object({
  /** Those whose run is interrupted. What was said stays, and a follow-up can go on from it. */
  interrupts: z.array(ConversationRow),
  /** Those whose run waits for the person: it goes on where it is after the next start. */
  keeps: z.array(ConversationRow),
  /** The installation that is cut off; the next start offers it again. */
  install: z.object({ agent: AgentId, package: z.string(), version: z.string() }).nullable(),
})
export type QuitSurvey = z.infer<typeof QuitSurvey>
