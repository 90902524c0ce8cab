import type { Handlers } from '../../shared/ipc.ts'
import { appHandlers } from './app.ts'
import { conversationHandlers } from './conversations.ts'
import { customAgentHandlers } from './custom-agents.ts'
import { gateHandlers } from './gates.ts'
import { installHandlers } from './installs.ts'
import { imageHandlers } from './images.ts'
import { messageHandlers } from './messages.ts'
import { providerHandlers } from './providers.ts'
import { runFileHandlers } from './run-files.ts'
import { runHandlers } from './runs.ts'
import type { Services } from './services.ts'

/** Main's answer to every command of the contract: a missing one does not compile. */
export const handlersOf = (services: Services): Handlers => ({
  ...appHandlers(services),
  ...customAgentHandlers(services),
  ...conversationHandlers(services),
  ...imageHandlers(services),
  ...messageHandlers(services),
  ...runHandlers(services),
  ...runFileHandlers(services),
  ...gateHandlers(services),
  ...installHandlers(services),
  ...providerHandlers(services),
})
