import { warmIdleMs, warmSessionsMax } from '../../../shared/limits.ts'
import type { AgentSession } from '../../ports.ts'
import { Lease } from './lease.ts'
import type { AcpSession } from './session.ts'

/** Which turns one kept session is for, and what must be the same for it to be used again. */
interface Wish {
  /** The agent and its scope: there is one process for both. */
  place: string
  /** Everything that the process was started with. */
  key: string
  /** The native session to go on with, or `null` for a new one. */
  resume: string | null
}

interface Idle {
  session: AcpSession
  key: string
  late: NodeJS.Timeout
}

/** Keeps sessions between turns: a bounded number, each for a bounded time. */
export class WarmSessions {
  readonly #limits: { idleMs: number; max: number }
  /** By place, the one longest at rest first. */
  readonly #idle = new Map<string, Idle>()
  readonly #lent = new Set<AcpSession>()
  #starting = 0

  constructor(limits = { idleMs: warmIdleMs, max: warmSessionsMax }) {
    this.#limits = limits
  }

  /** Whether this native session is at rest here, so that it can be gone on with as it is. */
  holds(nativeId: string | undefined): boolean {
    return [...this.#idle.values()].some(({ session }) => session.native.id === nativeId && session.isReady)
  }

  /** Lends the session that is kept for this, or the one that `start` opens. Throws what `start` throws. */
  async open(wish: Wish, start: () => Promise<AcpSession>): Promise<AgentSession> {
    const kept = await this.#take(wish)
    if (kept) return this.#lend(kept, { ...wish, resumed: true })
    this.#starting += 1
    this.#makeRoom()
    try {
      return this.#lend(await start(), { ...wish, resumed: wish.resume !== null })
    } finally {
      this.#starting -= 1
    }
  }

  /** What is kept at this place and is not what is wanted is ended before anything else begins there. */
  async #take({ place, key, resume }: Wish): Promise<AcpSession | null> {
    const idle = this.#idle.get(place)
    if (!idle) return null
    this.#forget(place, idle)
    if (idle.key === key && idle.session.native.id === resume && idle.session.isReady) return idle.session
    await idle.session.close()
    return null
  }

  #lend(session: AcpSession, { place, key, resumed }: Wish & { resumed: boolean }): AgentSession {
    this.#lent.add(session)
    void session.gone.then(() => this.#lent.delete(session))
    return new Lease(session, resumed, () => this.#takeBack(session, place, key))
  }

  #takeBack(session: AcpSession, place: string, key: string): void {
    this.#lent.delete(session)
    const before = this.#idle.get(place)
    if (before) this.#end(place, before)
    const idle: Idle = { session, key, late: setTimeout(() => this.#end(place, idle), this.#limits.idleMs) }
    // it must not keep us from ending
    idle.late.unref()
    this.#idle.set(place, idle)
    void session.gone.then(() => this.#forget(place, idle))
    this.#makeRoom()
  }

  /** A turn is never ended for room: whoever is one too many is ended when its turn is over. */
  #makeRoom(): void {
    for (const [place, idle] of this.#idle) {
      if (this.#starting + this.#lent.size + this.#idle.size <= this.#limits.max) return
      this.#end(place, idle)
    }
  }

  #end(place: string, idle: Idle): void {
    this.#forget(place, idle)
    void idle.session.close()
  }

  #forget(place: string, idle: Idle): void {
    clearTimeout(idle.late)
    if (this.#idle.get(place) === idle) this.#idle.delete(place)
  }
}
