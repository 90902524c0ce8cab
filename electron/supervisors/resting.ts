import type { AnyActorRef, AnyMachineSnapshot } from 'xstate'

/** Whether a run only waits for a person, in every part, so that the end of the application costs it nothing. */
export const restsWhole = (actor: AnyActorRef): boolean => {
  const snapshot: AnyMachineSnapshot = actor.getSnapshot()
  if (snapshot.status !== 'active' || snapshot.hasTag('resting')) return true
  if (snapshot.machine.id === 'attempt') return waitsAtItsGate(snapshot)
  const parts = machinesIn(snapshot)
  return parts.length > 0 && parts.every(restsWhole)
}

/** Its process will be gone, and a new one can go on from the same gate. */
const waitsAtItsGate = (snapshot: AnyMachineSnapshot): boolean =>
  snapshot.matches({ onFloor: { working: { speaking: 'awaitingGate' } } }) && snapshot.context.mayContinue === true

const machinesIn = (snapshot: AnyMachineSnapshot): AnyActorRef[] =>
  Object.values<AnyActorRef>(snapshot.children).filter((child) => {
    const inner: unknown = child.getSnapshot()
    return typeof inner === 'object' && inner !== null && 'machine' in inner
  })
