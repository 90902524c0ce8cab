import { isDeepStrictEqual } from 'node:util'
import { createActor, type Actor, type AnyActorRef, type AnyStateMachine, type InspectionEvent } from 'xstate'
import type { LedgerEvent, MachineName, StateValue } from '../../../shared/ledger.ts'
import { machineVersions } from '../../../machines/versions.ts'
import type { ReplayFinding, ReplayObstacle, ReplayStep } from '../../../shared/replay.ts'
import type { FileEvent } from '../../../shared/run-file.ts'
import { fenceOf, type Fence } from '../../wiring/fence.ts'
import { openRoot } from '../open-root.ts'
import { idOfActor } from '../project.ts'
import { Recorder, type Cut } from '../recorder.ts'
import { isSaidAtOnce, type Cause, type Word } from './words.ts'

interface RootReplayOptions {
  rootId: string
  name: MachineName
  /** The version of the chart that the record was made by. */
  version: number
  machine: (fence: Fence) => AnyStateMachine
  input: unknown
  expected: readonly FileEvent[]
  causeOf: (event: FileEvent) => Cause
  /** Told what moved, in whole cuts. */
  keep?: (cut: Cut) => void
  /** Called before a word is sent. */
  before?: (event: FileEvent) => void
  /** Looks at what else came of a cascade; `at` is the newest transition. */
  after?: (at: number) => ReplayFinding | null
}

/**
 * Drives one root once more by what its record says was the cause of each transition, with the real recorder, and
 * compares each transition as it comes out. A cause is fed in only when nothing that went before brought its
 * transition about.
 */
export class RootReplay {
  readonly #options: RootReplayOptions
  readonly #recorder: Recorder
  readonly #actual: LedgerEvent[] = []
  #actor: Actor<AnyStateMachine> | null = null
  #lastSeq = () => 0
  #boot = 0
  #compared = 0
  /** Up to which of the expected transitions the cause has been fed in. */
  #fed = 0
  #isResting = false
  #obstacle: ReplayObstacle | null = null

  constructor(options: RootReplayOptions) {
    this.#options = options
    this.#recorder = new Recorder({
      commit: (cut) => {
        this.#actual.push(...cut.events)
        options.keep?.(cut)
      },
      sync: async () => undefined,
      show: () => undefined,
      failed: () => undefined,
      idOf: idOfActor,
      lastSeq: () => this.#actual.length,
      now: () => this.#next?.at ?? 0,
    })
  }

  /** How many transitions came out as expected so far. */
  get compared(): number {
    return this.#compared
  }

  /** What it is waiting for: the first expected transition that has not begun. */
  get #next(): FileEvent | undefined {
    return this.#options.expected[this.#lastSeq()]
  }

  /** The snapshot of one machine of the tree. */
  snapshotOf(actor: string): unknown {
    return this.#actorNamed(actor)?.getSnapshot()
  }

  /** Plays all of it, or up to the first finding. `breathe` is called between cascades. */
  async play(breathe: () => Promise<void>): Promise<ReplayFinding | null> {
    const { name, version, expected } = this.#options
    if (version !== machineVersions[name]) return this.#stopAt(0, 'otherVersion')
    const gap = expected.findIndex(({ seq }, index) => seq !== index + 1)
    if (gap >= 0) return this.#stopAt(gap + 1, 'eventsMissing')
    try {
      this.#begin()
      for (;;) {
        const finding = (await this.#look()) ?? this.#goOn()
        if (finding !== 'played') return finding
        await breathe()
      }
    } finally {
      this.#rest()
    }
  }

  #begin(): void {
    const { rootId, name, machine, input } = this.#options
    const watched = this.#watched(rootId, name, machineVersions[name])
    const actor = createActor(machine(this.#fence()), { input, id: name, inspect: watched.inspect })
    watched.attach(actor, false)
    this.#start(actor)
  }

  /** As when Parley was started anew: from what was stored, with another boot. */
  #restart(): void {
    const { rootId, name, machine } = this.#options
    const snapshot = JSON.stringify(this.#actor?.getPersistedSnapshot())
    this.#rest()
    const stored = { rootId, machine: name, version: machineVersions[name], snapshot, live: true }
    const recorder = { watch: this.#watched.bind(this) }
    this.#start(openRoot(machine(this.#fence()), stored, stored.version, recorder))
  }

  #start(actor: Actor<AnyStateMachine>): void {
    actor.subscribe({ error: () => undefined })
    this.#actor = actor
    this.#isResting = false
    actor.start()
  }

  #rest(): void {
    this.#isResting = true
    this.#actor?.stop()
  }

  #fence(): Fence {
    this.#boot += 1
    return fenceOf(`boot-${this.#boot}`, () => this.#next?.at ?? 0)
  }

  #watched(rootId: string, name: MachineName, version: number) {
    const watched = this.#recorder.watch(rootId, name, version)
    this.#lastSeq = watched.lastSeq
    return {
      ...watched,
      inspect: (inspected: InspectionEvent) => {
        watched.inspect(inspected)
        if (!this.#isResting) this.#sayAtOnce()
      },
    }
  }

  /** What answered at once when this was recorded answers at once now. */
  #sayAtOnce(): void {
    const next = this.#next
    if (!next || !isSaidAtOnce(next) || this.#fed >= next.seq) return
    this.#feed(next)
  }

  async #look(): Promise<ReplayFinding | null> {
    await this.#recorder.written()
    for (const actual of this.#actual.slice(this.#compared)) {
      const expected = this.#options.expected[this.#compared]
      if (!expected || !isDeepStrictEqual(stepOf(expected), stepOf(actual))) {
        return this.#differs(actual.seq, expected, actual)
      }
      this.#compared += 1
    }
    if (this.#obstacle) return this.#stopAt(this.#compared + 1, this.#obstacle)
    return this.#options.after?.(this.#compared) ?? null
  }

  /** Feeds in the next cause; `null` when all has been played. */
  #goOn(): ReplayFinding | 'played' | null {
    const next = this.#next
    if (!next) return this.#compared === this.#options.expected.length ? null : this.#differs(this.#compared + 1)
    if (this.#fed >= next.seq) return this.#differs(next.seq, next)
    if (this.#feed(next)) return 'played'
    return this.#obstacle ? this.#stopAt(next.seq, this.#obstacle) : this.#differs(next.seq, next)
  }

  #feed(next: FileEvent): boolean {
    const cause = this.#options.causeOf(next)
    this.#fed = next.seq
    if (cause.kind === 'obstacle') this.#obstacle = cause.because
    if (cause.kind === 'nothing' || cause.kind === 'obstacle') return false
    this.#options.before?.(next)
    if (cause.kind === 'restart') this.#restart()
    else this.#send(cause.to, cause.word)
    return true
  }

  #send(to: string | null, word: Word): void {
    const actor = to === null || to === this.#options.rootId ? this.#actor : this.#actorNamed(to)
    if (isActive(actor)) actor.send(word)
  }

  #actorNamed(actor: string): AnyActorRef | undefined {
    return this.#actor?.system.get(actor)
  }

  #differs(seq: number, expected?: FileEvent, actual?: LedgerEvent): ReplayFinding {
    return {
      what: 'state',
      rootId: this.#options.rootId,
      seq,
      expected: expected ? stepOf(expected) : null,
      actual: actual ? stepOf(actual) : null,
    }
  }

  #stopAt(seq: number, because: ReplayObstacle): ReplayFinding {
    return { what: 'obstacle', rootId: this.#options.rootId, seq, because }
  }
}

const stepOf = ({ machine, actor, type, from, value, cause }: FileEvent): ReplayStep =>
  ({ machine, actor, type, from, value, via: viaOf(cause) })

const viaOf = (cause: FileEvent['cause']): StateValue[] =>
  Array.isArray(cause['via']) ? cause['via'] as StateValue[] : []

const isActive = (actor: AnyActorRef | null | undefined): actor is AnyActorRef =>
  actor?.getSnapshot().status === 'active'
