import * as z from 'zod'
import { AgentId } from './agent.ts'
import { attemptCapMs, capLimitsMs, hiddenAgentsMax, silenceLimitsMs, silenceMs, slotsMax } from './limits.ts'

/** Preferences: what a person may set and nothing else. */
export const Settings = z.strictObject({
  theme: z.enum(['system', 'light', 'dark']),
  language: z.enum(['en']),
  silenceMs: z.number().int().min(silenceLimitsMs.min).max(silenceLimitsMs.max),
  capMs: z.number().int().min(capLimitsMs.min).max(capLimitsMs.max),
  slots: z.number().int().min(1).max(slotsMax).nullable(),
  sidebarOpen: z.boolean(),
  panelOpen: z.boolean(),
  panelWidth: z.number().int().min(464).max(1_600),
  welcomed: z.boolean(),
  /** Whether the system tells of what has ended or waits while the window is not in front. */
  notifications: z.boolean(),
  /** Agents that the sidebar leaves out. */
  hiddenAgents: z.array(AgentId).max(hiddenAgentsMax),
})
export type Settings = z.infer<typeof Settings>

export const defaultSettings: Settings = {
  theme: 'system',
  language: 'en',
  silenceMs,
  capMs: attemptCapMs,
  slots: null,
  sidebarOpen: true,
  panelOpen: true,
  panelWidth: 464,
  welcomed: false,
  notifications: true,
  hiddenAgents: [],
}
