import type { Handlers } from '../../shared/ipc.ts'
import { conversationsPageMax } from '../../shared/limits.ts'
import type { Services } from './services.ts'

/** The application itself: what the window shows first, and its end. */
export const appHandlers = (services: Services) =>
  ({
    'app.snapshot': async () => {
      const stores = services.storesIfAny
      const first = stores?.list.page({ after: null, limit: conversationsPageMax, query: '' })
      return {
        app: services.appState(),
        settings: services.settings.read(),
        conversations: first?.rows ?? [],
        moreConversations: first?.more ?? null,
        agents: services.agents.cards,
        gates: stores?.gates.waiting() ?? [],
        home: services.home,
      }
    },

    'app.quit': async ({ confirmed }) => {
      const running = services.running()
      const quitting = confirmed || running.length === 0
      if (quitting) services.shell.quit()
      return { quitting, running }
    },

    'app.restoredRead': async () => {
      services.requireWritable()
      services.stores.restored.forget()
      services.push('app.changed', { app: services.appState() })
      return {}
    },

    'agents.scan': async () => ({ agents: await services.agents.scan() }),

    'agents.test': async ({ agent }) => {
      services.requireWritable()
      return services.connectionTests.test(agent)
    },

    'settings.save': async ({ patch }) => {
      const settings = services.settings.save(patch)
      services.push('settings.changed', { settings })
      services.settingsChanged()
      return { settings }
    },

    'directory.pick': async () => ({ path: await services.shell.pickDirectory() }),

    'link.open': async ({ url }) => {
      await services.shell.openLink(url)
      return {}
    },
  }) satisfies Partial<Handlers>
