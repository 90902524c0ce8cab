import type { AgentId } from '../../../shared/agent.ts'
import { warmIdleMs, warmSessionsMax } from '../../../shared/limits.ts'
import type { AgentSession } from '../../ports.ts'
import { Lease } from './lease.ts'
import type { AcpSession } from './session.ts'

/** Whose session it is and what for: there is one process for both. */
interface Place {
  agent: AgentId
  scope: string
}

/** Which turns one kept session is for, and what must be the same for it to be used again. */
interface Wish {
  place: Place
  /** Everything that the process was started with. */
  key: string
  /** The native session to go on with, or `null` for a new one. */
  resume: string | null
}

interface Idle {
  place: Place
  session: AcpSession
  key: string
  late: NodeJS.Timeout
}

/** Keeps sessions between turns: a bounded number, each for a bounded time. */
export class WarmSessions {
  readonly #limits: { idleMs: number; max: number }
  /** By place, the one longest at rest first. */
  readonly #idle = new Map<string, Idle>()
  /** In a turn, and whether it may be kept after it. */
  readonly #lent = new Map<AcpSession, { place: Place; mayStay: boolean }>()
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

  /** Nothing of what is at such a place is kept any longer; a turn that runs there is let to its end. */
  async leave(isLeft: (place: Place) => boolean): Promise<void> {
    for (const lent of this.#lent.values()) if (isLeft(lent.place)) lent.mayStay = false
    const left = [...this.#idle.values()].filter(({ place }) => isLeft(place))
    await Promise.all(left.map((idle) => this.#end(idle)))
  }

  /** What is kept at this place and is not what is wanted is ended before anything else begins there. */
  async #take({ place, key, resume }: Wish): Promise<AcpSession | null> {
    const idle = this.#idle.get(nameOf(place))
    if (!idle) return null
    this.#forget(idle)
    if (idle.key === key && idle.session.native.id === resume && idle.session.isReady) return idle.session
    await idle.session.close()
    return null
  }

  #lend(session: AcpSession, { place, key, resumed }: Wish & { resumed: boolean }): AgentSession {
    this.#lent.set(session, { place, mayStay: true })
    void session.gone.then(() => this.#lent.delete(session))
    return new Lease(session, resumed, () => this.#takeBack(session, place, key))
  }

  #takeBack(session: AcpSession, place: Place, key: string): void {
    const mayStay = this.#lent.get(session)?.mayStay === true
    this.#lent.delete(session)
    const before = this.#idle.get(nameOf(place))
    if (before) void this.#end(before)
    const idle: Idle = { place, session, key, late: setTimeout(() => void this.#end(idle), this.#limits.idleMs) }
    // it must not keep us from ending
    idle.late.unref()
    this.#idle.set(nameOf(place), idle)
    void session.gone.then(() => this.#forget(idle))
    if (!mayStay) void this.#end(idle)
    this.#makeRoom()
  }

  /** A turn is never ended for room: whoever is one too many is ended when its turn is over. */
  #makeRoom(): void {
    for (const idle of this.#idle.values()) {
      if (this.#starting + this.#lent.size + this.#idle.size <= this.#limits.max) return
      void this.#end(idle)
    }
  }

  async #end(idle: Idle): Promise<void> {
    this.#forget(idle)
    await idle.session.close()
  }

  #forget(idle: Idle): void {
    clearTimeout(idle.late)
    const name = nameOf(idle.place)
    if (this.#idle.get(name) === idle) this.#idle.delete(name)
  }
}

const nameOf = ({ agent, scope }: Place): string => JSON.stringify([agent, scope])
