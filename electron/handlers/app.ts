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
        gates: stores ? [...stores.gates.waiting(), ...services.gatesLately] : [],
        install: services.installs.view,
        home: services.home,
      }
    },

    'app.quit': async ({ wish }) => {
      const survey = services.survey()
      return { quitting: services.decideQuit(wish), survey }
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
