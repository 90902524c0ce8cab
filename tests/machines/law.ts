import { createActor, type AnyStateMachine } from 'xstate'
import { chartOf } from '../../machines/chart.ts'
import type { ChartNode } from '../../machines/chart/reading.ts'
import { actorKinds } from '../../machines/blanks.ts'
import type { MachineName } from '../../shared/ledger.ts'
import type { Stage } from './stage.ts'
import { leafOf, persist, type Reached, type Walk } from './walk.ts'

/** The states and arrows of a chart that none of the walks came by. */
export const missedBy = (machine: MachineName, walks: Walk[]): string[] => {
  const chart = chartOf(machine)
  const visited = new Set(walks.flatMap(({ reached }) => [...reached.values()].flatMap(({ value }) => pathsOf(value))))
  const taken = new Set(walks.flatMap((each) => [...each.taken]))
  return [
    ...chart.nodes.filter(({ id, tags }) => !visited.has(id) && !tags.includes('choice')).map(({ id }) => id),
    ...[...chart.edges, ...chart.internal].filter(({ id }) => !taken.has(id)).map(({ id }) => id),
  ]
}

/** Snapshots that are not the same after three times through JSON. */
export const changedByJson = (machine: AnyStateMachine, walks: Walk[]): string[] =>
  everywhere(walks).filter(({ snapshot }) => thrice(machine, snapshot) !== snapshot).map(({ snapshot }) => snapshot)

/** Snapshots in which a child's logic is stored as anything but a name. */
export const unnamedChildren = (walks: Walk[]): string[] =>
  everywhere(walks).filter(({ snapshot }) => /"src":(?!")/.test(snapshot)).map(({ snapshot }) => snapshot)

export interface Restarted {
  from: Reached
  leaf: string
  /** Outside effects that the restart began. */
  outside: string[]
  snapshot: string
}

/** Brings every reached state back in a new start of the app, and tells where it went and what it began. */
export const restarted = (
  walks: Walk[],
  stageOf: () => Stage,
  machineOf: (stage: Stage) => AnyStateMachine,
): Restarted[] =>
  everywhere(walks).filter(isLive).map((from) => {
    const stage = stageOf()
    const actor = createActor(machineOf(stage), { snapshot: JSON.parse(from.snapshot) } as never).start()
    const { value } = actor.getSnapshot()
    const outside = stage.begun.filter((name) => actorKinds[name] === 'outside' && name !== 'watchBoot')
    const snapshot = persist(actor)
    actor.stop()
    return { from, leaf: leafOf(value), outside, snapshot }
  })

/** Innermost states that neither rest, nor hold a fenced actor, nor are excused. */
export const unguarded = (machine: MachineName, excused: Record<string, string>): string[] => {
  const { nodes } = chartOf(machine)
  const above = (node: ChartNode): ChartNode[] => {
    const parent = nodes.find(({ id }) => id === node.parent)
    return parent ? [node, ...above(parent)] : [node]
  }
  const guarded = (node: ChartNode) => above(node).some(({ tags, actors }) =>
    tags.includes('resting') || tags.includes('choice') || actors.some((actor) => actorKinds[actor] === 'outside'))
  return nodes.filter((node) => node.kind === 'state' && !guarded(node) && !(node.id in excused)).map(({ id }) => id)
}

const everywhere = (walks: Walk[]) => walks.flatMap(({ reached }) => [...reached.values()])

const isLive = ({ snapshot }: Reached) => snapshot.startsWith('{"status":"active"')

const thrice = (machine: AnyStateMachine, snapshot: string): string => {
  let text = snapshot
  for (let time = 0; time < 3; time += 1) text = persist(createActor(machine, { snapshot: JSON.parse(text) } as never))
  return text
}

const pathsOf = (value: unknown, above = ''): string[] => {
  if (typeof value === 'string') return [above + value]
  return Object.entries(value as Record<string, unknown>)
    .flatMap(([name, inner]) => [above + name, ...pathsOf(inner, `${above}${name}.`)])
}
