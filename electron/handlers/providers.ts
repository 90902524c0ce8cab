import type { Handlers } from '../../shared/ipc.ts'
import type { Services } from './services.ts'

/** Provider profiles: kept, chosen, tried, removed. A key comes in and never goes out. */
export const providerHandlers = (services: Services) =>
  ({
    'providers.list': async () => ({
      profiles: services.providers.list(),
      keepsKeys: services.providers.keepsKeys(),
    }),

    'providers.save': async (draft) => {
      services.requireWritable()
      return { profile: services.providers.save(draft) }
    },

    'providers.activate': async ({ kind, profileId }) => {
      services.requireWritable()
      services.providers.activate(kind, profileId)
      return {}
    },

    'providers.remove': async ({ profileId }) => {
      services.requireWritable()
      services.providers.remove(profileId)
      services.erased()
      return {}
    },

    'providers.test': async ({ profileId }) => ({ test: await services.providers.test(profileId) }),
  }) satisfies Partial<Handlers>
