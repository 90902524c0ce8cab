import * as z from 'zod'
import type { AgentKind } from './agent.ts'
import { AppError } from './errors.ts'
import { providerKeyMinCharacters } from './limits.ts'
import { providerPresets } from './provider-presets.ts'
import { ProviderKind, type ProviderDraft, type ProviderProfile } from './provider.ts'

/** The part of a profile that a person decides. */
type SoundProvider = Pick<ProviderProfile, 'kind' | 'preset' | 'name' | 'baseUrl' | 'model'>

/**
 * What a person wrote, made canonical. Throws `provider.wrong-kind`, `provider.no-name`, `provider.bad-url`,
 * `provider.bad-model`, `provider.model-missing`, `provider.preset-mismatch`.
 */
export const readProviderDraft = (draft: ProviderDraft): SoundProvider => {
  const kind = readProviderKind(draft.kind)
  const name = draft.name.trim()
  if (name === '') throw new AppError('provider.no-name', 'The profile needs a name.')
  const baseUrl = readBaseUrl(kind, draft.baseUrl)
  const provider = { kind, preset: draft.preset, name, baseUrl, model: modelOf(draft) }
  if (provider.model === null && needsModel(kind)) {
    throw new AppError('provider.model-missing', 'This agent needs the name of a model for a provider.')
  }
  requirePreset(provider)
  return provider
}

/** Throws `provider.wrong-kind` for an agent that takes no provider. */
export const readProviderKind = (kind: AgentKind): ProviderKind => {
  const known = ProviderKind.safeParse(kind)
  if (known.success) return known.data
  throw new AppError('provider.wrong-kind', 'This agent takes no provider profile.')
}

/**
 * A key as it is sent: without blanks around it, in characters that any header and configuration carries unchanged.
 * Throws `provider.bad-key`.
 */
export const readProviderKey = (text: string): string => {
  const key = text.trim()
  if (key.length >= providerKeyMinCharacters && keyCharacters.test(key)) return key
  throw new AppError('provider.bad-key', 'This does not look like a key. Copy the whole of it, and nothing else.', {
    params: { least: providerKeyMinCharacters },
  })
}

/**
 * The address as this agent takes it: canonical, without a slash at its end, with or without the version that the
 * agent adds by itself. Throws `provider.bad-url`.
 */
export const readBaseUrl = (kind: ProviderKind, text: string): string => {
  const canonical = Address.safeParse(text.trim())
  const parts = canonical.success ? plainAddress.exec(canonical.data) : null
  const [, scheme, host, path = ''] = parts ?? []
  if (host === undefined || (scheme === 'http' && !isLoopback(host))) throw badUrl()
  return `${scheme}://${host}${kind === 'claude' || kind === 'gemini' ? withoutVersion(path) : withVersion(path)}`
}

/** Whether this agent knows no model of its own for a provider. */
export const needsModel = (kind: ProviderKind): boolean =>
  kind === 'opencode' || kind === 'qwen' || kind === 'copilot' || kind === 'kimi' || kind === 'openclaw'

/** The same computer and port: a key that was given for one may be sent there again. */
export const isSameOrigin = (one: string, other: string): boolean => originOf(one) === originOf(other)

const requirePreset = ({ kind, preset, name, baseUrl }: SoundProvider): void => {
  const presets = providerPresets[kind]
  const meant = presets.find(({ id }) => id === preset)
  if (preset === null && !presets.some((known) => isSameName(known.name, name))) return
  if (meant && meant.name === name && meant.baseUrl === baseUrl) return
  throw new AppError('provider.preset-mismatch', 'This name belongs to a known provider with another address.')
}

const modelOf = ({ model }: ProviderDraft): string | null => {
  const name = model?.trim() ?? ''
  if (name === '') return null
  if (modelCharacters.test(name)) return name
  throw new AppError('provider.bad-model', 'This is not the name of a model.')
}

const withoutVersion = (path: string) => withoutSlash(withoutMethod(path)).replace(/\/v\d\w*$/, '')

/** What a gateway's own path already says of a version stays as it is. */
const withVersion = (path: string) => {
  const plain = withoutSlash(withoutMethod(path))
  return /\/v\d\w*(?:\/|$)/.test(plain) ? plain : `${plain}/v1`
}

const withoutMethod = (path: string) =>
  withoutSlash(path).replace(/\/(?:chat\/completions|completions|responses|messages|models)$/, '')
const withoutSlash = (path: string) => path.replace(/\/+$/, '')
const originOf = (url: string) => /^https?:\/\/[^/]+/.exec(url)?.[0]
const isSameName = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
const isLoopback = (host: string) => /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/.test(host)
const badUrl = () =>
  new AppError('provider.bad-url', 'The address must begin with https://, and hold no name, query or fragment.')

/** Parsed as a browser would, so that no other spelling of a host or a path gets by. */
const Address = z.url({ protocol: /^https?$/, hostname: /./, normalize: true })
const plainAddress = /^(https?):\/\/([^/?#@\\]+)(\/[^?#]*)?$/

/** Nothing that quotes, blanks or references of a configuration file are made of. */
const keyCharacters = /^[\w!#%&()*+,./:;<=>?@[\]^|~-]+$/
const modelCharacters = /^[\w@][\w.:/@+~[\]-]*$/
