import type { ProviderAccess } from '../../adapters/ports.ts'
import { testProvider } from '../../adapters/provider-test.ts'
import type { AgentKind } from '../../shared/agent.ts'
import { AppError } from '../../shared/errors.ts'
import {
  ProviderKind,
  type ProviderDraft,
  type ProviderProfile,
  type ProviderTest,
} from '../../shared/provider.ts'
import { isSameOrigin, readProviderDraft, readProviderKey, readProviderKind } from '../../shared/read-provider.ts'
import type { SecretsPort } from '../shell.ts'
import type { ProviderProfiles } from '../stores/providers.ts'

interface ProvidersOptions {
  /** `null` while nothing is open. */
  stores: () => { providers: ProviderProfiles } | null
  secrets: SecretsPort
  /** The profiles are not as they were; `moved` are the agents that speak with another provider from now on. */
  changed: (moved: readonly ProviderKind[]) => void
  newId: (prefix: string) => string
  now: () => number
}

/** Knows the providers that a person chose for each agent, and gives a key only to whoever starts that agent. */
export class Providers {
  readonly #options: ProvidersOptions
  /** Those whose key could not be read when it was needed. */
  readonly #unreadable = new Set<string>()
  readonly #tests = new Map<string, Promise<ProviderTest>>()

  constructor(options: ProvidersOptions) {
    this.#options = options
  }

  /** As the window may see them. No key is read for that. */
  list(): ProviderProfile[] {
    const profiles = this.#options.stores()?.providers.list() ?? []
    return profiles.map((profile) => ({ ...profile, keyUnreadable: this.#unreadable.has(profile.profileId) }))
  }

  /** Whether a key could be kept. Asked only when somebody wants to know, as it may wake the system's keyring. */
  keepsKeys(): boolean {
    return this.#options.secrets.available()
  }

  /** Throws what `readProviderDraft` does, and `provider.unknown`, `provider.key-needed`, `provider.key-unkept`. */
  save(draft: ProviderDraft): ProviderProfile {
    const sound = readProviderDraft(draft)
    const before = draft.profileId === null ? null : this.#get(draft.profileId)
    if (before && before.kind !== sound.kind) throw wrongKind()
    const kept = this.#keyToKeep(draft, before, sound.baseUrl)
    const profile = {
      ...sound,
      profileId: before?.profileId ?? this.#options.newId('provider'),
      hasKey: kept !== null,
      active: before?.active ?? false,
      createdAt: before?.createdAt ?? this.#options.now(),
    }
    this.#store().put(profile, kept)
    if (draft.key.how !== 'keep') this.#unreadable.delete(profile.profileId)
    this.#options.changed(profile.active ? [profile.kind] : [])
    return { ...profile, keyUnreadable: this.#unreadable.has(profile.profileId) }
  }

  /** `null`: the agent works with its own login again. Throws `provider.wrong-kind`, `provider.unknown`. */
  activate(agent: AgentKind, profileId: string | null): void {
    const kind = readProviderKind(agent)
    if (profileId !== null && this.#get(profileId).kind !== kind) throw wrongKind()
    this.#store().activate(kind, profileId)
    this.#options.changed([kind])
  }

  /** Needs no protection of the system's: what cannot be read can still be thrown away. Throws `provider.unknown`. */
  remove(profileId: string): void {
    const { kind, active } = this.#get(profileId)
    this.#store().remove(profileId)
    this.#unreadable.delete(profileId)
    this.#options.changed(active ? [kind] : [])
  }

  /** Calls at the same time share one. Throws `provider.unknown`, `provider.key-unreadable`. */
  test(profileId: string): Promise<ProviderTest> {
    const { kind, ...profile } = this.#get(profileId)
    const running = this.#tests.get(profileId)
    if (running) return running
    const test = testProvider(kind, this.#accessOf(profile)).finally(() => this.#tests.delete(profileId))
    this.#tests.set(profileId, test)
    return test
  }

  /**
   * What an agent's process is to be given, or `null` where it works with its own login. Throws
   * `provider.key-unreadable`: an agent that was to work with this provider must not work with another.
   */
  accessFor(agent: AgentKind): ProviderAccess | null {
    const kind = ProviderKind.safeParse(agent)
    const active = kind.success ? this.#activeOf(kind.data) : null
    return active ? this.#accessOf(active) : null
  }

  /** Every key that can be read, so that it is kept out of what leaves this machine. */
  keys(): string[] {
    return this.list().flatMap((profile) => {
      if (!profile.hasKey || profile.keyUnreadable) return []
      try {
        return this.#accessOf(profile).key ?? []
      } catch {
        return []
      }
    })
  }

  /** The name of the profile by which this agent can answer; `null` for none. */
  nameFor(agent: AgentKind): string | null {
    const kind = ProviderKind.safeParse(agent)
    if (!kind.success) return null
    const active = this.list().find((profile) => profile.kind === kind.data && profile.active)
    return active && !active.keyUnreadable ? active.name : null
  }

  #activeOf(kind: ProviderKind) {
    try {
      return this.#store().active(kind)
    } catch (error) {
      // one bad row of a profile is no reason to stop everything, as a damaged ledger would be
      throw new AppError('provider.key-unreadable', 'The profile in use can no longer be read.', { cause: error })
    }
  }

  #accessOf({ profileId, baseUrl, model }: Pick<ProviderProfile, 'profileId' | 'baseUrl' | 'model'>): ProviderAccess {
    const kept = this.#store().protectedKey(profileId)
    return { baseUrl, model, key: kept === null ? null : this.#reveal(profileId, kept) }
  }

  #reveal(profileId: string, kept: string): string {
    try {
      const key = readProviderKey(this.#options.secrets.reveal(kept))
      if (this.#unreadable.delete(profileId)) this.#options.changed([])
      return key
    } catch {
      if (!this.#unreadable.has(profileId)) {
        this.#unreadable.add(profileId)
        this.#options.changed([])
      }
      // its cause could hold what was kept
      throw new AppError('provider.key-unreadable', 'The key of this profile can no longer be read. Give it again.')
    }
  }

  #keyToKeep({ key }: ProviderDraft, before: { profileId: string; baseUrl: string } | null, baseUrl: string) {
    if (key.how === 'none') return null
    if (key.how === 'set') return this.#protect(readProviderKey(key.key))
    const kept = before ? this.#store().protectedKey(before.profileId) : null
    if (before && kept !== null && !isSameOrigin(before.baseUrl, baseUrl)) {
      throw new AppError('provider.key-needed', 'The address is another one. Give the key again.')
    }
    return kept
  }

  #protect(key: string): string {
    const { secrets } = this.#options
    try {
      if (secrets.available()) {
        const kept = secrets.protect(key)
        if (kept !== '' && !kept.includes(key)) return kept
      }
    } catch {
      // said below: nothing was written
    }
    throw new AppError('provider.key-unkept', 'Keys cannot be kept here, because nothing protects them.')
  }

  #get(profileId: string) {
    const profile = this.#store().get(profileId)
    if (!profile) throw new AppError('provider.unknown', 'This profile is not there any more.')
    return profile
  }

  #store(): ProviderProfiles {
    const stores = this.#options.stores()
    if (!stores) throw new AppError('app.read-only', 'Nothing is open yet.')
    return stores.providers
  }
}

const wrongKind = () => new AppError('provider.wrong-kind', 'This profile belongs to another agent.')
