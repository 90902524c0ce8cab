import type * as z from 'zod'
import { AppError } from '../../shared/errors.ts'
import { providersPerAgentMax } from '../../shared/limits.ts'
import { ProviderKind, ProviderProfile } from '../../shared/provider.ts'
import { readBaseUrl } from '../../shared/read-provider.ts'
import { numberIn, textIn, textOrNullIn } from './columns.ts'
import { type Damage, parsed } from './damage.ts'
import type { Database, Row } from './database.ts'
import type { Erasure } from './erasure.ts'

const Stored = ProviderProfile.omit({ keyUnreadable: true })
type StoredProvider = z.infer<typeof Stored>

/** Remembers the provider profiles of each agent; a key only as the operating system protected it. */
export class ProviderProfiles {
  readonly #database: Database
  readonly #damage: Damage
  readonly #erasure: Erasure

  constructor(database: Database, damage: Damage, erasure: Erasure) {
    this.#database = database
    this.#damage = damage
    this.#erasure = erasure
  }

  /** All of them, oldest first. */
  list(): StoredProvider[] {
    if (!this.#isThere()) return []
    const rows = this.#database.all(`${columns} order by created_at, profile_id`)
    return this.#damage.sound('provider_profiles', 'profile_id', rows, readProfile)
  }

  get(profileId: string): StoredProvider | null {
    if (!this.#isThere()) return null
    const row = this.#database.get(`${columns} where profile_id = ?`, profileId)
    return this.#damage.one('provider_profiles', 'profile_id', row, readProfile)
  }

  /** The one that this agent works with, or `null` for its own login. */
  active(kind: ProviderKind): StoredProvider | null {
    const row = this.#database.get(`${columns} where kind = ? and active = 1`, kind)
    return this.#damage.one('provider_profiles', 'profile_id', row, readProfile)
  }

  /** `null` where it has none. */
  protectedKey(profileId: string): string | null {
    const row = this.#database.get('select protected_key from provider_profiles where profile_id = ?', profileId)
    return row ? textOrNullIn(row, 'protected_key') : null
  }

  /** A new one or another version of a known one, whole or not at all. Throws `provider.too-many`. */
  put(profile: StoredProvider, protectedKey: string | null) {
    const { profileId, kind, preset, name, baseUrl, model, active, createdAt } = profile
    this.#database.transaction(() => {
      const row = this.#database.get(
        'select count(*) as others from provider_profiles where kind = ? and profile_id <> ?', kind, profileId,
      )
      if (row && numberIn(row, 'others') >= providersPerAgentMax) {
        throw new AppError('provider.too-many', 'This agent has too many profiles already. Remove one first.', {
          params: { max: providersPerAgentMax },
        })
      }
      this.#database.run(
        `insert into provider_profiles
         (profile_id, kind, preset, name, base_url, model, protected_key, active, created_at)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?)
         on conflict (profile_id) do update set preset = excluded.preset, name = excluded.name,
         base_url = excluded.base_url, model = excluded.model, protected_key = excluded.protected_key`,
        profileId, kind, preset, name, baseUrl, model, protectedKey, active ? 1 : 0, createdAt,
      )
    })
  }

  /** Makes this one the active one of its agent; `null` for none. */
  activate(kind: ProviderKind, profileId: string | null) {
    this.#database.transaction(() => {
      this.#database.run('update provider_profiles set active = 0 where kind = ? and active = 1', kind)
      if (profileId === null) return
      this.#database.run('update provider_profiles set active = 1 where kind = ? and profile_id = ?', kind, profileId)
    })
  }

  /** Its key leaves the log and the backups too, in a while. */
  remove(profileId: string) {
    this.#database.transaction(() => {
      this.#database.run('delete from provider_profiles where profile_id = ?', profileId)
      this.#erasure.begin()
    })
  }

  /** A folder of an earlier version that is only looked at has no such table. */
  #isThere(): boolean {
    if (!this.#database.readOnly) return true
    return this.#database.get("select 1 from sqlite_schema where name = 'provider_profiles'") !== undefined
  }
}

const columns = `select profile_id, kind, preset, name, base_url, model, active, created_at,
  protected_key is not null as has_key from provider_profiles`

/** An address that a version before wrote otherwise is read as this one would write it. */
const readProfile = (row: Row): StoredProvider => {
  const kind = parsed(ProviderKind, textIn(row, 'kind'))
  return parsed(Stored, {
    profileId: textIn(row, 'profile_id'),
    kind,
    preset: textOrNullIn(row, 'preset'),
    name: textIn(row, 'name'),
    baseUrl: addressIn(row, kind),
    model: textOrNullIn(row, 'model'),
    hasKey: numberIn(row, 'has_key') === 1,
    active: numberIn(row, 'active') === 1,
    createdAt: numberIn(row, 'created_at'),
  })
}

const addressIn = (row: Row, kind: ProviderKind): string => {
  try {
    return readBaseUrl(kind, textIn(row, 'base_url'))
  } catch (error) {
    throw new AppError('ledger.damaged', 'A stored address cannot be used.', { cause: error })
  }
}
