import { createActor, type Actor } from 'xstate'
import type { GateOrder } from '../../machines/blanks.ts'
import type { gateMachine } from '../../machines/gate.ts'
import { machineVersions } from '../../machines/versions.ts'
import { AppError } from '../../shared/errors.ts'
import type { Asker, GateAsk, GateDecision, GateEndReason, GateRecord } from '../../shared/gate.ts'
import { gatesLatelyMax } from '../../shared/limits.ts'
import type { Around } from '../../shared/steps.ts'
import { openRoot } from './open-root.ts'
import type { Recorder, RootSnapshot } from './recorder.ts'

/** What an asker hears of its gate. */
type GateNews =
  | { type: 'gate.answered'; gateId: string; decision: GateDecision }
  | { type: 'gate.closed'; gateId: string; reason: GateEndReason }

interface GatesPorts {
  recorder: Recorder
  /** The gate machine with its blanks filled. */
  machine: typeof gateMachine
  stored: (gateId: string) => GateRecord | null
  /** Whether whoever asked still has use for the answer, as it is stored. */
  askerWaits: (asker: Asker, gateId: string) => boolean
  around: Around
  now: () => number
}

/** Keeps every live gate as a root of its own, and introduces it to its asker. */
export class Gates {
  readonly #ports: GatesPorts
  readonly #live = new Map<string, Actor<typeof gateMachine>>()
  readonly #followers = new Map<string, Set<(news: GateNews) => void>>()
  /** Those whose answer was taken, though it may not be written yet: a slow disk is no reason to hand it over again. */
  readonly #taken = new Set<string>()
  #lately: string[] = []

  constructor(ports: GatesPorts) {
    this.#ports = ports
  }

  /** Opens a gate; asking the same again changes nothing. */
  open(ask: GateAsk): void {
    if (this.#live.has(ask.gateId) || this.#ports.stored(ask.gateId)) return
    const watched = this.#ports.recorder.watch(ask.gateId, 'gate', machineVersions.gate)
    const actor = createActor(this.#ports.machine, { input: ask, id: 'gate', inspect: watched.inspect })
    watched.attach(actor, false)
    this.#keep(ask.gateId, actor)
    this.#ports.around({ kind: 'gate', of: 'opened' }, () => actor.start())
  }

  /** Brings a gate back as it was stored; it waits for `goOn`. Throws `snapshot.unreadable`. */
  restore(stored: RootSnapshot): void {
    this.#keep(stored.rootId, openRoot(this.#ports.machine, stored, machineVersions.gate, this.#ports.recorder))
  }

  /** Starts what was brought back, once those who asked are there again. */
  goOn(): void {
    for (const actor of this.#live.values()) actor.start()
    this.review('askerLost')
  }

  /**
   * Takes the person's answer. The same answer again gives the same decision.
   * Throws `gate.unknown`, `gate.closed`, `gate.already-answered`, `gate.option-unknown`.
   */
  async answer(gateId: string, optionId: string, note: string | null): Promise<GateRecord> {
    await this.#ports.recorder.written()
    const stored = this.#ports.stored(gateId)
    if (!stored) throw new AppError('gate.unknown', 'This gate is not known here.')
    if (stored.endReason && stored.decision?.optionId !== optionId) throw closed(stored)
    if (stored.decision) {
      // whoever hears that an answer stands must not lose it to a power cut either
      await this.#ports.recorder.durable()
      return sameAnswer(stored, stored.decision, optionId)
    }
    const actor = this.#live.get(gateId)
    if (!actor || stored.status !== 'waiting') throw closed(stored)
    if (!stored.options.some((option) => option.optionId === optionId)) {
      throw new AppError('gate.option-unknown', 'This gate has no such answer.')
    }
    const given = { type: 'gate.answer', optionId, note, at: this.#ports.now() } as const
    this.#ports.around({ kind: 'gate', of: 'answered' }, () => actor.send(given))
    await this.#ports.recorder.durable()
    const now = this.#ports.stored(gateId) ?? stored
    // another answer, or the end of the gate, may have come first in the same moment
    if (!now.decision) throw closed(now)
    return sameAnswer(now, now.decision, optionId)
  }

  /** Tells a gate that nobody needs its answer any more. */
  withdraw(gateId: string): void {
    this.pass(gateId, { type: 'gate.withdraw', at: this.#ports.now() })
  }

  /** Passes on what an asker says when it leaves its gate. */
  pass(gateId: string, order: GateOrder): void {
    const actor = this.#live.get(gateId)
    if (actor) this.#ports.around({ kind: 'gate', of: order.type }, () => actor.send(order))
  }

  /** Those that were settled since the start, oldest first: who saw them wait sees what became of them. */
  get lately(): GateRecord[] {
    return this.#lately.flatMap((gateId) => this.#ports.stored(gateId) ?? [])
  }

  noteSettled(gateId: string): void {
    this.#lately = [...this.#lately.filter((other) => other !== gateId), gateId].slice(-gatesLatelyMax)
  }

  isLive(gateId: string): boolean {
    return this.#live.has(gateId)
  }

  /** Hears what becomes of a gate, also of one that was settled before; gives back the way to stop. */
  follow(gateId: string, hear: (news: GateNews) => void): () => void {
    const followers = this.#followers.get(gateId) ?? new Set()
    this.#followers.set(gateId, followers.add(hear))
    const past = this.#pastNews(gateId)
    if (past) hear(past)
    else this.#live.get(gateId)?.send({ type: 'asker.ready', at: this.#ports.now() })
    return () => {
      followers.delete(hear)
    }
  }

  /** Whether somebody is there to take the answer, or has taken it in this start. */
  canDeliver(gateId: string): boolean {
    return this.#taken.has(gateId) || (this.#followers.get(gateId)?.size ?? 0) > 0
  }

  /** Hands a decision to its asker, once in each start; `false` when nobody is there. */
  deliver(gateId: string, decision: GateDecision): boolean {
    if (this.#taken.has(gateId)) return true
    const isTaken = this.#ports.around({ kind: 'gate', of: 'delivered' }, () =>
      this.#tell(gateId, { type: 'gate.answered', gateId, decision }))
    if (isTaken) this.#taken.add(gateId)
    return isTaken
  }

  /** Says so to every live gate whose asker is gone for good. */
  review(reason: 'askerGone' | 'askerLost' = 'askerGone'): void {
    for (const gateId of this.#live.keys()) {
      const stored = this.#ports.stored(gateId)
      // an answer that is on its way is taken, or comes back by itself
      if (!stored || stored.status === 'applying' || this.#ports.askerWaits(stored.asker, gateId)) continue
      this.pass(gateId, { type: 'asker.gone', reason, at: this.#ports.now() })
    }
  }

  /** Lets every live gate rest as it is stored, for the end of the application. */
  rest(): void {
    for (const actor of this.#live.values()) actor.stop()
    this.#live.clear()
  }

  #keep(gateId: string, actor: Actor<typeof gateMachine>): void {
    this.#live.set(gateId, actor)
    actor.subscribe({
      complete: () => this.#settle(gateId),
      error: () => this.#settle(gateId),
    })
  }

  #settle(gateId: string): void {
    const snapshot = this.#live.get(gateId)?.getSnapshot()
    this.#live.delete(gateId)
    const reason = snapshot?.context.endReason
    if (reason) this.#tell(gateId, { type: 'gate.closed', gateId, reason })
    this.#followers.delete(gateId)
    this.#taken.delete(gateId)
    this.noteSettled(gateId)
  }

  #tell(gateId: string, news: GateNews): boolean {
    const followers = [...(this.#followers.get(gateId) ?? [])]
    for (const hear of followers) hear(news)
    return followers.length > 0
  }

  #pastNews(gateId: string): GateNews | null {
    if (this.#live.has(gateId)) return null
    const stored = this.#ports.stored(gateId)
    if (stored?.status === 'applied' && stored.decision)
      return { type: 'gate.answered', gateId, decision: stored.decision }
    if (stored?.endReason) return { type: 'gate.closed', gateId, reason: stored.endReason }
    return stored ? { type: 'gate.closed', gateId, reason: 'askerLost' } : null
  }
}

const sameAnswer = (record: GateRecord, decision: GateDecision, optionId: string): GateRecord => {
  if (decision.optionId === optionId) return record
  throw new AppError('gate.already-answered', 'This gate has been answered differently. The first answer stands.')
}

const closed = (record: GateRecord): AppError =>
  new AppError('gate.closed', 'This gate is closed. Nobody waits for its answer any more.', {
    params: { reason: record.endReason ?? record.status },
  })
