import { attemptMachine } from '../../machines/attempt.ts'
import { gateMachine } from '../../machines/gate.ts'
import { roundMachine } from '../../machines/round.ts'
import { runMachine } from '../../machines/run.ts'
import type { AwakeClock } from '../supervisors/awake-clock.ts'
import { attemptEffects, type AttemptWiring } from './attempt.ts'
import { clocks, type LastOutputAt } from './clocks.ts'
import { followGate, gateEffects, type GateWiring } from './gate.ts'
import { runEffects, type RunWiring } from './run.ts'

interface MachineWiring extends AttemptWiring, GateWiring, RunWiring {
  awake: AwakeClock
  lastOutputAt: LastOutputAt
}

/** The run and gate machines with every blank filled, those of the round and the attempt inside the run too. */
export const wiredMachines = (wiring: MachineWiring) => {
  const { deadline, watchSilence } = clocks(wiring.fence, wiring.awake, wiring.lastOutputAt)
  const { watchBoot, ...attemptActors } = attemptEffects(wiring)
  const follow = followGate(wiring)
  const attempt = attemptMachine.provide({
    actors: { ...attemptActors, watchBoot, watchSilence, followGate: follow, deadline },
  })
  const round = roundMachine.provide({ actors: { attempt } })
  return {
    run: runMachine.provide({ actors: { ...runEffects(wiring), round, followGate: follow, deadline } }),
    gate: gateMachine.provide({ actors: { ...gateEffects(wiring), watchBoot, deadline } }),
  }
}
