import { checkImage, plainImageName } from '../../shared/attachment.ts'
import { AppError } from '../../shared/errors.ts'
import type { Handlers } from '../../shared/ipc.ts'
import { ownConversationOf } from './conversations.ts'
import type { Services } from './services.ts'

/** Images: added to a draft, taken off again, and looked at. */
export const imageHandlers = (services: Services) =>
  ({
    'image.add': async ({ conversationId, name, type, dataBase64 }) => {
      services.requireWritable()
      ownConversationOf(services, conversationId)
      const content = bytesOf(dataBase64)
      const plainName = plainImageName(name)
      const head = checkImage(content, { name: plainName, type })
      const note = { imageId: services.newId('image'), name: plainName, ...head }
      return { image: services.stores.images.add({ conversationId, note, content }) }
    },

    'image.remove': async ({ conversationId, imageId }) => {
      services.requireWritable()
      // a message that is just being sent takes its images with it
      if (services.tasks.isBusy(conversationId)) {
        throw new AppError('conversation.busy', 'A message is just being sent here. Try again in a moment.')
      }
      services.stores.images.remove(conversationId, imageId)
      return {}
    },

    'image.read': async ({ imageId }) => {
      const { content, mime } = services.stores.images.read(imageId)
      return { dataUrl: `data:${mime};base64,${content.toString('base64')}` }
    },
  }) satisfies Partial<Handlers>

/** Node passes over what is no base64, so the length tells whether all of it was. */
const bytesOf = (dataBase64: string): Buffer => {
  const content = Buffer.from(dataBase64, 'base64')
  const padding = /={0,2}$/.exec(dataBase64.slice(-2))?.[0].length ?? 0
  if (dataBase64.length % 4 === 0 && content.length === (dataBase64.length / 4) * 3 - padding) return content
  throw new AppError('ipc.bad-input', 'The request was malformed.')
}
