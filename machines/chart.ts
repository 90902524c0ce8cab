import type { AnyStateNode } from 'xstate'
import type { MachineName } from '../shared/ledger.ts'
import { attemptMachine } from './attempt.ts'
import { causeOf } from './chart/causes.ts'
import { wordsOf, type Chart, type ChartNode, type ChartWord } from './chart/reading.ts'
import { gateMachine } from './gate.ts'
import { installMachine } from './install.ts'
import { lifecycleMachine } from './lifecycle.ts'
import { roundMachine } from './round.ts'
import { runMachine } from './run.ts'

/** Guards that only ask whether an event means this actor: in the tables, not in the drawing. */
const identityGuards: readonly string[] = ['itNamesThisRun', 'itIsTheGate', 'itIsThisInstall']

/** The chart of a machine as data to draw, derived from the machine itself. */
export const chartOf = (machine: MachineName): Chart => {
  const { root } = machines[machine]
  const nodes = below(root)
  const arrows = [root, ...nodes].flatMap((node) => arrowsOf(machine, node))
  return {
    machine,
    nodes: nodes.map(drawn),
    edges: arrows.filter((arrow) => arrow.to !== null).map(({ to, ...arrow }) => ({ ...arrow, to: to ?? '' })),
    internal: arrows.filter((arrow) => arrow.to === null).map(({ to: _stays, ...arrow }) => arrow),
  }
}

const machines: Record<MachineName, { root: AnyStateNode }> = {
  run: runMachine, round: roundMachine, attempt: attemptMachine, gate: gateMachine, lifecycle: lifecycleMachine,
  install: installMachine,
}

const below = (node: AnyStateNode): AnyStateNode[] => childrenOf(node).flatMap((child) => [child, ...below(child)])

const childrenOf = (node: AnyStateNode): AnyStateNode[] => Object.values(node.states)

const drawn = (node: AnyStateNode): ChartNode => ({
  id: idOf(node),
  label: wordsOf(node.key),
  parent: node.parent?.parent ? idOf(node.parent) : null,
  kind: kindOf(node),
  initial: node.parent?.initial.target?.includes(node) ?? false,
  tags: [...node.tags],
  actors: node.invoke.map(({ src }) => nameOf(src)),
})

const kindOf = (node: AnyStateNode): ChartNode['kind'] => {
  if (node.type === 'final') return 'final'
  return node.type === 'atomic' ? 'state' : 'group'
}

type Arrow = ChartWord & { to: string | null }
type Transition = NonNullable<AnyStateNode['always']>[number]

const arrowsOf = (machine: MachineName, node: AnyStateNode): Arrow[] => {
  const caused = [...node.transitions].flatMap(([event, transitions]) =>
    transitions.map((transition, index) => arrowOf({ machine, node, event, transition, index })))
  const always = (node.always ?? []).map((transition, index) =>
    arrowOf({ machine, node, event: null, transition, index }))
  return [...always, ...caused]
}

type Found = { machine: MachineName; node: AnyStateNode; event: string | null; transition: Transition; index: number }

const arrowOf = ({ machine, node, event, transition, index }: Found): Arrow => {
  const guards = transition.guard === undefined ? [] : [nameOf(transition.guard)]
  const target = transition.target?.[0]
  const spoken = event === null ? null : spokenName(machine, event)
  return {
    id: `${idOf(node)}/${event ?? 'always'}/${index}`,
    from: idOf(node),
    to: target === undefined ? null : idOf(target),
    event: spoken,
    guards,
    actions: transition.actions.map(nameOf),
    by: causeOf(spoken, guards[0] ?? null),
    label: labelOf(spoken, guards),
  }
}

const labelOf = (event: string | null, guards: string[]): string => {
  const clauses = guards.filter((guard) => !identityGuards.includes(guard)).map(wordsOf)
  if (event === null) return clauses[0] ?? 'otherwise'
  return [wordsOf(event), ...clauses.map((clause) => `if ${clause}`)].join(' ')
}

/** XState's own names for the end of a child, as the ledger says them. */
const spokenName = (machine: MachineName, event: string): string => {
  const child = machine === 'run' ? 'round' : 'attempt'
  if (event.startsWith('xstate.done.actor')) return `${child}.ended`
  return event.startsWith('xstate.error.actor') ? `${child}.broke` : event
}

/** Guards and actions are names, or a name with what it is about: `itConcludesAs agreed`. */
const nameOf = (part: unknown): string => {
  if (typeof part === 'string') return part
  if (typeof part !== 'object' || part === null || !('type' in part)) return 'unnamed'
  const params: unknown[] = 'params' in part ? Object.values(part.params ?? {}) : []
  return [part.type, ...params].join(' ')
}

const idOf = (node: AnyStateNode): string => node.path.join('.')
