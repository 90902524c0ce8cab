import { useMemo } from 'react'
import type { GateRecord } from '../../shared/gate.ts'
import { useWorld } from '../state/use-session.ts'

/** What a run or an attempt has asked the person, oldest first. */
export function useGatesOf(asker: string): readonly GateRecord[] {
  const gates = useWorld((world) => world.gates)
  return useMemo(
    () => gates.filter((gate) => gate.asker.id === asker).toSorted((a, b) => a.askedAt - b.askedAt),
    [gates, asker],
  )
}
