import { viewOfCustom } from '../../shared/custom-agent.ts'
import type { Handlers } from '../../shared/ipc.ts'
import type { Services } from './services.ts'

/** Agents of the person's own: what is kept of them stays in main, and the window sees that there is one. */
export const customAgentHandlers = (services: Services) =>
  ({
    'custom.list': async () => ({
      agents: (services.storesIfAny?.customAgents.all() ?? []).map(viewOfCustom),
    }),

    'custom.save': async (wish) => {
      services.requireWritable()
      return { saved: viewOfCustom(await services.custom.save(services.stores, wish)) }
    },

    'custom.remove': async ({ agent }) => {
      services.requireWritable()
      services.custom.remove(services.stores, agent)
      return {}
    },

    'custom.pick': async () => ({ path: await services.shell.pickFile() }),
  }) satisfies Partial<Handlers>
