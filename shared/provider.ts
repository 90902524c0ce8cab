import * as z from 'zod'
import { AgentKind } from './agent.ts'
import { At, Id } from './ids.ts'
import {
  providerKeyMaxCharacters,
  providerModelMaxCharacters,
  providerNameMaxCharacters,
  providerUrlMaxCharacters,
} from './limits.ts'

/** The agents that take a base URL and a key of a provider. */
export const ProviderKind = AgentKind.extract([
  'codex', 'claude', 'opencode', 'gemini', 'qwen', 'copilot', 'kimi', 'openclaw',
])
export type ProviderKind = z.infer<typeof ProviderKind>

/** One provider for one agent, as the window may see it. The key itself never leaves main. */
export const ProviderProfile = z.object({
  profileId: Id,
  kind: ProviderKind,
  /** The id of the preset that it is, or `null` for one of the person's own. */
  preset: z.string().max(40).nullable(),
  name: z.string().min(1).max(providerNameMaxCharacters),
  baseUrl: z.string().max(providerUrlMaxCharacters),
  /** `null`: the agent's own choice. */
  model: z.string().max(providerModelMaxCharacters).nullable(),
  hasKey: z.boolean(),
  /** There is a key, and the operating system could not give it back when it was needed. */
  keyUnreadable: z.boolean(),
  active: z.boolean(),
  createdAt: At,
})
export type ProviderProfile = z.infer<typeof ProviderProfile>

/** What becomes of the key when a profile is saved. */
const KeyChange = z.discriminatedUnion('how', [
  z.strictObject({ how: z.literal('keep') }),
  z.strictObject({ how: z.literal('none') }),
  z.strictObject({ how: z.literal('set'), key: z.string().max(providerKeyMaxCharacters) }),
])

/** A profile as a person wrote it down; `readProviderDraft` says whether it is sound. */
export const ProviderDraft = z.strictObject({
  /** `null` for a new one. */
  profileId: Id.nullable(),
  kind: AgentKind,
  preset: z.string().max(40).nullable(),
  name: z.string().max(providerNameMaxCharacters),
  baseUrl: z.string().max(providerUrlMaxCharacters),
  model: z.string().max(providerModelMaxCharacters).nullable(),
  key: KeyChange,
})
export type ProviderDraft = z.infer<typeof ProviderDraft>

/** What one minimal call to a provider came back with. Nothing of the answer's body but the model's name. */
export const ProviderTest = z.object({
  outcome: z.enum([
    'ok', 'unauthorized', 'forbidden', 'notFound', 'rateLimited', 'redirected', 'unreachable', 'late', 'tooLarge',
    'unreadable', 'other',
  ]),
  /** `null` where no answer came. */
  status: z.number().int().nullable(),
  /** The model that answered, or was found in its list. */
  model: z.string().max(providerModelMaxCharacters).nullable(),
})
export type ProviderTest = z.infer<typeof ProviderTest>
