import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AnyMachineSnapshot } from 'xstate'
import { idOfActor } from '../../electron/supervisors/project.ts'
import { Recorder } from '../../electron/supervisors/recorder.ts'
import type { RunInput } from '../../machines/blanks.ts'
import { chartOf } from '../../machines/chart.ts'
import { activeIds } from '../../machines/chart/reading.ts'
import { walkOf } from '../../renderer/charts/walk.ts'
import { beforeAll, foldOn, type Past } from '../../renderer/past/fold.ts'
import type { Moment } from '../../renderer/past/moments.ts'
import { Positions } from '../../renderer/past/positions.ts'
import type { LedgerEvent } from '../../shared/ledger.ts'
import { RunEnd } from '../../shared/run.ts'
import { now } from './events.ts'
import { leafOf } from './walk.ts'
import { pick, World, type Happening } from './world.ts'

const seats = ['rehearsal:bold', 'rehearsal:careful', 'rehearsal:sceptic'] as const

const input = (rounds: number, blindFirst: boolean): RunInput => ({
  runId: 'run:1', conversationId: 'talk:1', messageId: 'message:1', topic: 'Tabs or spaces?', followUpOf: null, at: now,
  policy: { rounds, consensus: true, blindFirst, allowWrite: false, silenceMs: 10_000, capMs: 60_000 },
  seats: seats.map((seat) => ({ seat, agent: seat, standing: 'seated' })),
  mayContinue: Object.fromEntries(seats.map((seat) => [seat, true])),
})

const stories = fc.record({
  rounds: fc.constantFrom(1, 2, 4),
  blindFirst: fc.boolean(),
  tape: fc.array(fc.nat({ max: 9_999 }), { maxLength: 160, size: 'max' }),
})

/** A run whose transitions are recorded as main records them, and how its machines stood after each cut. */
class RecordedWorld {
  readonly events: LedgerEvent[] = []
  /** How every machine that was ever there stood last, by its id in the ledger. */
  readonly stood = new Map<string, AnyMachineSnapshot>()
  readonly world: World
  readonly #recorder: Recorder
  #clock = () => now

  constructor(given: RunInput, cut: (recorded: RecordedWorld) => void) {
    this.#recorder = new Recorder({
      commit: ({ events, moved }) => {
        this.events.push(...events)
        for (const { actor, snapshot } of moved) this.stood.set(actor, snapshot)
        cut(this)
      },
      sync: async () => undefined,
      show: () => undefined,
      failed: (failure) => {
        throw new Error(failure.message)
      },
      idOf: idOfActor,
      lastSeq: () => this.events.at(-1)?.seq ?? 0,
      now: () => this.#clock(),
    })
    this.world = new World((stage) => stage.run(), given, () => this.#recorder.watch('run:1', 'run', 1))
    this.#clock = () => this.world.stage.now
  }

  async let(happening: Happening) {
    this.world.let(happening)
    await this.#recorder.written()
  }
}

const stoppable = (world: World): Happening[] => {
  const order = (type: string, more = {}): Happening =>
    ({ name: type, by: 'person', weight: 1, happen: () => world.send({ type, ...more }) })
  const seat = seats[0]
  return [
    order('run.stop', { runId: 'run:1' }),
    order('run.pause'),
    order('run.resume'),
    order('seat.retry', { seat }),
    order('seat.cancel', { seat }),
    order('seat.replace', { seat, agent: 'rehearsal:careful', mayContinue: true }),
  ]
}

const crash = (world: World): Happening => ({
  name: 'crash',
  by: 'crash',
  weight: world.actor.getSnapshot().hasTag('unrecorded') ? 0 : 2,
  happen: () => world.crash(),
})

/** Plays a story to its end; `cut` is told after each cut. */
async function played(
  { rounds, blindFirst, tape }: { rounds: number; blindFirst: boolean; tape: readonly number[] },
  cut: (recorded: RecordedWorld) => void = () => undefined,
) {
  const recorded = new RecordedWorld(input(rounds, blindFirst), cut)
  const { world } = recorded
  for (const number of tape) {
    if (world.isOver) break
    const happening = pick([...world.facts(), ...stoppable(world), crash(world)], number)
    if (happening) await recorded.let(happening)
  }
  return recorded
}

const momentsOf = (events: readonly LedgerEvent[]): Moment[] =>
  events.map((event) => ({ key: String(event.seq), at: event.at, event }))

/** What the machines themselves say, in the words of the past. */
function said({ stood }: RecordedWorld) {
  const run = stood.get('run:1')
  return {
    round: run?.context.round,
    ended: RunEnd.safeParse(run?.value).data ?? null,
    values: new Map([...stood].map(([actor, { value }]) => [actor, value])),
    attempts: new Map(
      [...stood]
        .filter(([, { machine }]) => machine.id === 'attempt')
        .map(([actor, { value, context }]) => {
          const { tries, startedAt, aliveSince, settledAt } = context
          return [actor, { status: leafOf(value), tries, startedAt, aliveSince, settledAt }]
        }),
    ),
  }
}

function told({ round, status, latest, attempts }: Past) {
  return {
    round,
    ended: RunEnd.safeParse(status).data ?? null,
    values: new Map([...latest].map(([actor, { value }]) => [actor, value])),
    attempts: new Map([...attempts].map(([actor, { failure: _failure, ...attempt }]) => [actor, attempt])),
  }
}

describe('whatever happens to a run', () => {
  test('after every cut its transitions tell where all of its machines stood', async () => {
    let cuts = 0
    await fc.assert(
      fc.asyncProperty(stories, async (story) => {
        await played(story, (recorded) => {
          cuts += 1
          expect(told(foldOn(beforeAll, recorded.events))).toEqual(said(recorded))
        })
      }),
      { numRuns: 15 },
    )
    expect(cuts).toBeGreaterThan(100)
  })

  test('it is the same at a moment, wherever one comes from to it', async () => {
    await fc.assert(
      fc.asyncProperty(stories, fc.array(fc.nat(), { maxLength: 12 }), async (story, visits) => {
        const { events } = await played(story)
        const positions = new Positions(momentsOf(events))
        for (const visit of events.length === 0 ? [] : visits) {
          const index = visit % events.length
          const until = events.slice(0, index + 1)
          expect(positions.at(index)).toEqual(foldOn(beforeAll, until))
          const actor = until.at(-1)?.actor ?? ''
          const chart = chartOf(until.at(-1)?.machine ?? 'run')
          const own = until.filter((event) => event.actor === actor)
          expect(positions.walk(chart, actor, index)).toEqual(walkOf(chart, own))
        }
      }),
      { numRuns: 15 },
    )
  })

  test('the arrow that is lit leads to the state that it was in', async () => {
    const unlit: string[] = []
    await fc.assert(
      fc.asyncProperty(stories, async (story) => {
        const { events } = await played(story)
        for (const [index, { machine, actor, type, value, from }] of events.entries()) {
          const own = events.slice(0, index + 1).filter((event) => event.actor === actor)
          const chart = chartOf(machine)
          const { last } = walkOf(chart, own)
          const moved = from !== null && JSON.stringify(from) !== JSON.stringify(value)
          const active = activeIds(value)
          const leads = chart.edges.some(({ id, to }) => last.includes(id) && active.includes(to))
          if (moved && !leads) unlit.push(`${machine}: ${type} to ${leafOf(value)}`)
        }
      }),
      { numRuns: 12 },
    )
    expect([...new Set(unlit)]).toEqual([])
  })
})
