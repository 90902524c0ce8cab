import type { Handlers } from '../../shared/ipc.ts'
import type { Services } from './services.ts'

/** Installing an agent: seen, begun and cancelled. */
export const installHandlers = ({ installs, requireWritable }: Services) =>
  ({
    'install.view': async () => ({ install: installs.view, recipes: installs.offers }),
    'install.start': async ({ agent }) => {
      requireWritable()
      return { taskId: installs.start(agent) }
    },
    'install.cancel': async ({ taskId }) => {
      await installs.cancel(taskId)
      return {}
    },
  }) satisfies Partial<Handlers>
