import { createActor, type Actor, type AnyActorRef, type AnyMachineSnapshot, type AnyStateMachine } from 'xstate'
import { AppError } from '../../shared/errors.ts'
import type { Recorder, RootSnapshot } from './recorder.ts'

/**
 * Makes a root from its stored snapshot, not yet started. Everything in it is looked at first:
 * a snapshot of another machine version, or with a part in error, throws `snapshot.unreadable`.
 */
export const openRoot = <Machine extends AnyStateMachine>(
  machine: Machine,
  stored: RootSnapshot,
  version: number,
  recorder: Pick<Recorder, 'watch'>,
): Actor<Machine> => {
  if (stored.version !== version) throw unreadable({ version: stored.version })
  const watched = recorder.watch(stored.rootId, stored.machine, version)
  const options = { snapshot: readSnapshot(stored), id: stored.machine, inspect: watched.inspect }
  const actor: Actor<Machine> = createActor(machine, options as never)
  actor.subscribe({ error: () => undefined })
  const broken = brokenPart(actor)
  if (broken) throw unreadable({ part: broken })
  watched.attach(actor, true)
  return actor
}

const readSnapshot = ({ snapshot }: RootSnapshot): unknown => {
  try {
    return JSON.parse(snapshot)
  } catch {
    throw unreadable({ part: 'all of it' })
  }
}

/** The first actor of the tree that a restore left in error or left out, if any: XState tells nobody of it. */
const brokenPart = (actor: AnyActorRef): string | null => {
  const snapshot = actor.getSnapshot()
  if (snapshot?.status === 'error') return actor.id
  const missing = missingPart(snapshot)
  if (missing) return missing
  for (const child of Object.values<AnyActorRef | undefined>(snapshot?.children ?? {})) {
    const broken = child ? brokenPart(child) : null
    if (broken) return broken
  }
  return null
}

/** An actor that the state needs and the snapshot does not have: nothing would ever come of that state. */
const missingPart = (snapshot: Partial<AnyMachineSnapshot> | undefined): string | null => {
  if (snapshot?.status !== 'active' || !snapshot._nodes) return null
  const wanted = snapshot._nodes.flatMap((node) => node.invoke.map(({ id }) => id))
  return wanted.find((id) => !snapshot.children?.[id]) ?? null
}

const unreadable = (params: Record<string, string | number>): AppError =>
  new AppError(
    'snapshot.unreadable',
    'What was stored of this cannot be read by this version. It counts as interrupted.',
    {
      params,
    },
  )
