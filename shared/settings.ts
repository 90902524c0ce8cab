import * as z from 'zod'
import { capLimitsMs, silenceLimitsMs, slotsMax } from './limits.ts'

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
})
export type Settings = z.infer<typeof Settings>
