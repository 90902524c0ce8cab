import type { Handlers } from '../../shared/ipc.ts'
import { AppError } from '../../shared/errors.ts'
import { ownConversationOf, showRow } from './conversations.ts'
import type { Services } from './services.ts'

/** Messages: sent at once, or queued behind the active run. */
export const messageHandlers = (services: Services) =>
  ({
    'message.send': async ({ conversationId, text, images: imageIds = [], targets, settings, unlimitedConfirmed }) => {
      services.requireWritable()
      const conversation = ownConversationOf(services, conversationId)
      const images = services.stores.images.inDraft(conversationId, imageIds)
      const message = { conversation, text, images, targets, settings, unlimitedConfirmed }
      const checked = services.tasks.check(message)
      if (services.tasks.isBusy(conversationId) || services.stores.runs.active(conversationId)) {
        const queuedId = services.newId('queued')
        const at = services.now()
        const queued = { queuedId, conversationId, text, images, ...checked, createdAt: at, refusal: null }
        services.stores.enqueue(queued, at)
        showQueue(services, conversationId)
        return { runId: null, queuedId }
      }
      return { runId: await services.tasks.send(message), queuedId: null }
    },

    'queue.edit': async ({ conversationId, queuedId, text }) => {
      services.requireWritable()
      requireWaiting(services, queuedId)
      if (text.trim() === '') throw new AppError('message.empty', 'There is nothing left. Withdraw it instead.')
      services.stores.queue.edit(conversationId, queuedId, text)
      showQueue(services, conversationId)
      return {}
    },

    'queue.send': async ({ conversationId, queuedId }) => {
      services.requireWritable()
      const conversation = ownConversationOf(services, conversationId)
      const queued = services.stores.queue.list(conversationId).find((waiting) => waiting.queuedId === queuedId)
      if (!queued) throw new AppError('queue.unknown', 'This message does not wait any more.')
      if (services.tasks.isBusy(conversationId) || services.stores.runs.active(conversationId)) {
        throw new AppError('conversation.busy', 'A run is active here. This message begins after it.')
      }
      const runId = await services.tasks.send({ ...queued, conversation, unlimitedConfirmed: true }, queued)
      showQueue(services, conversationId)
      return { runId }
    },

    'queue.withdraw': async ({ conversationId, queuedId }) => {
      services.requireWritable()
      requireWaiting(services, queuedId)
      services.stores.queue.withdraw(conversationId, queuedId)
      showQueue(services, conversationId)
      return {}
    },
  }) satisfies Partial<Handlers>

const requireWaiting = ({ tasks }: Services, queuedId: string): void => {
  if (!tasks.isSending(queuedId)) return
  throw new AppError('conversation.busy', 'This message is just being sent.')
}

/** Shows what waits in a conversation, there and in its line. */
export const showQueue = (services: Services, conversationId: string): void => {
  services.push('queue.changed', { conversationId, queue: services.stores.queue.list(conversationId) })
  showRow(services, conversationId)
}
