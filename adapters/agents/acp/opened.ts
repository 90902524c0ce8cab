import { openedSessionsMax } from '../../../shared/limits.ts'
import type { AgentAdapter } from '../../ports.ts'

/** Remembers when this program last began or loaded each of the latest sessions. */
export class Opened {
  readonly #at = new Map<string, number>()

  note(nativeId: string): void {
    this.#at.delete(nativeId)
    this.#at.set(nativeId, Date.now())
    const [oldest] = this.#at.keys()
    if (oldest !== undefined && this.#at.size > openedSessionsMax) this.#at.delete(oldest)
  }

  /** Whether a session may be loaded now, as far as is known here. */
  mayResume(nativeId: string | null, rule: NonNullable<AgentAdapter['mayResume']>): boolean {
    const at = nativeId === null ? undefined : this.#at.get(nativeId)
    return at === undefined || rule({ at, version: null }, Date.now())
  }
}
