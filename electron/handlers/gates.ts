import type { Handlers } from '../../shared/ipc.ts'
import type { Services } from './services.ts'

/** Gates: listed wherever they came from, answered once. */
export const gateHandlers = (services: Services) =>
  ({
    'gate.list': async () => ({ gates: services.stores.gates.waiting() }),
    'gate.answer': async ({ gateId, optionId, note }) => {
      services.requireWritable()
      return { gate: await services.gates.answer(gateId, optionId, note) }
    },
  }) satisfies Partial<Handlers>
