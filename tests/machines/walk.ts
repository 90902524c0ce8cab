import {
  createActor, type AnyActorRef, type AnyStateMachine, type AnyTransitionDefinition, type InspectionEvent,
} from 'xstate'

export type AnyEvent = { type: string; at: number; [field: string]: unknown }
type Leaf = string

export interface Reached {
  /** The whole snapshot as JSON text. */
  snapshot: string
  value: unknown
  leaf: Leaf
}

export interface Walk {
  reached: Map<string, Reached>
  /** Ids of the arrows that were taken, as the chart names them. */
  taken: Set<string>
  closed: boolean
}

interface WalkPlan {
  machine: AnyStateMachine
  input: unknown
  /** What may happen next; looked at anew in every state. */
  events: (actor: AnyActorRef) => AnyEvent[]
  limit: number
}

/** Goes everywhere that the events lead, breadth first, through JSON at every step. Stops at a limit of states. */
export const walk = ({ machine, input, events, limit }: WalkPlan): Walk => {
  const found: Walk = { reached: new Map(), taken: new Set(), closed: true }
  const open = [note(found, begin(machine, { input }, found.taken))]
  for (let next = open.shift(); next; next = open.shift()) {
    const here = createActor(machine, { snapshot: JSON.parse(next.snapshot) } as never)
    if (here.getSnapshot().status !== 'active') continue
    for (const event of events(here)) {
      if (!takes(here, event)) continue
      const actor = begin(machine, { snapshot: JSON.parse(next.snapshot) }, found.taken)
      send(actor, event)
      const known = found.reached.size
      const there = note(found, actor)
      if (found.reached.size === known) continue
      if (found.reached.size >= limit) return { ...found, closed: false }
      open.push(there)
    }
  }
  return found
}

/** The innermost state's name. */
export const leafOf = (value: unknown): Leaf =>
  typeof value === 'string' ? value : leafOf(Object.values(value as Record<string, unknown>)[0])

/** The whole of an actor as JSON text. */
export const persist = (actor: AnyActorRef): string => JSON.stringify(actor.getPersistedSnapshot())

/** The name that the chart gives to an arrow. */
const arrowId = (transition: AnyTransitionDefinition): string => {
  const { source, eventType } = transition
  const named = source.transitions.get(eventType) ?? []
  const index = named.indexOf(transition)
  if (index >= 0) return `${source.path.join('.')}/${eventType}/${index}`
  return `${source.path.join('.')}/always/${(source.always ?? []).indexOf(transition)}`
}

const begin = (machine: AnyStateMachine, from: object, taken: Set<string>): AnyActorRef => {
  const inspect = (seen: InspectionEvent) => {
    if (seen.type !== '@xstate.microstep') return
    for (const transition of seen._transitions) {
      if (transition.source?.machine.id === machine.id) taken.add(arrowId(transition))
    }
  }
  const actor = createActor(machine, { ...from, inspect } as never)
  actor.subscribe({ error: (error: unknown) => { throw error } })
  actor.start()
  return actor
}

/** A child is named by `to`; everything else is for the root. */
const send = (actor: AnyActorRef, { to, ...event }: AnyEvent): void => {
  const target = typeof to === 'string' ? actor.getSnapshot().children[to] : actor
  target.send(event)
}

const takes = (actor: AnyActorRef, event: AnyEvent): boolean =>
  typeof event.to === 'string' || actor.getSnapshot().can(event)

const note = (found: Walk, actor: AnyActorRef): Reached => {
  const snapshot = persist(actor)
  const { value } = actor.getSnapshot()
  const reached = found.reached.get(snapshot) ?? { snapshot, value, leaf: leafOf(value) }
  found.reached.set(snapshot, reached)
  actor.stop()
  return reached
}
