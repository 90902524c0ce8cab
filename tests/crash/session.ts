import { threeAgents, type TestOffice } from '../fakes/office.ts'
import { addImage, picture } from '../fakes/office-images.ts'
import { tellPushes, type Tell } from './journal.ts'

/**
 * One scripted session in a folder: conversations, images, messages sent and queued, a discussion with a gate, a stop,
 * a name, a draft, a deletion. Tells each thing once it was acknowledged.
 */
export const session = async (office: TestOffice, tell: Tell): Promise<void> => {
  tellPushes(office, tell)
  const person = personOf(office, tell)
  const group = await person.group('Discussion')
  const discussed = await person.send(group, 'Tabs or spaces? [[ask:bold@1]] [[agree]]')
  await person.answersUntilEnd(discussed)

  const chat = await person.chat('Chat')
  const kept = await person.addImage(chat, 1)
  const removed = await person.addImage(chat, 2)
  await person.removeImage(chat, removed)
  await person.removeImage(chat, kept)
  await person.sends(chat, 'The first message. [[agree]]')
  await person.rename(chat, 'Renamed')

  const stopped = await person.send(chat, 'A long one. [[hang]]')
  await office.turn(stopped, 'rehearsal:bold', 'streaming')
  await person.queue(chat, 'The queued message. [[agree]]')
  await office.handlers['run.stop']({ runId: stopped })
  await office.runEnds(stopped)
  const [waiting] = (await office.handlers['conversation.open']({ conversationId: chat, before: null })).queue
  const { runId } = await office.handlers['queue.send']({ conversationId: chat, queuedId: waiting?.queuedId ?? '' })
  await office.runEnds(runId)

  const short = await person.chat('Short-lived')
  await person.addImage(short, 3)
  await person.sends(short, 'To be deleted. [[agree]]')
  await person.draft(chat, 'Half a thought')
  await person.addImage(chat, 4)
  await person.delete(short)
}

/** What a person does in the window; each resolves once the person was told that it is done. */
const personOf = (office: TestOffice, tell: Tell) => {
  const person = {
    chat: async (name: string) => created(await office.chat('rehearsal:bold', { name }), name),
    group: async (name: string) => {
      const members = threeAgents.slice(0, 2)
      return created(await office.group({ name, members, settings: { rounds: 2, blindFirst: true } }), name)
    },
    rename: async (conversationId: string, name: string) => {
      tell({ told: 'naming', conversationId, name })
      await office.handlers['conversation.rename']({ conversationId, name })
      tell({ told: 'conversation', conversationId, name })
    },
    delete: async (conversationId: string) => {
      tell({ told: 'deleted', conversationId })
      await office.handlers['conversation.delete']({ conversationId })
    },
    draft: async (conversationId: string, text: string) => {
      await office.handlers['draft.save']({ conversationId, text })
      tell({ told: 'draft', conversationId, text })
    },
    addImage: async (conversationId: string, shade: number) => {
      const imageId = await addImage(office, conversationId, picture(shade))
      tell({ told: 'image', conversationId, imageId })
      return imageId
    },
    removeImage: async (conversationId: string, imageId: string) => {
      tell({ told: 'image removed', conversationId, imageId })
      await office.handlers['image.remove']({ conversationId, imageId })
    },
    send: async (conversationId: string, text: string) => {
      tell({ told: 'sending', conversationId, text })
      const runId = await office.send(conversationId, text)
      tell({ told: 'accepted', conversationId, text })
      return runId
    },
    sends: async (conversationId: string, text: string) => office.runEnds(await person.send(conversationId, text)),
    queue: async (conversationId: string, text: string) => {
      tell({ told: 'sending', conversationId, text })
      await office.handlers['message.send']({
        conversationId, text, targets: null, settings: null, unlimitedConfirmed: false,
      })
      tell({ told: 'queued', conversationId, text })
    },
    answersUntilEnd: async (runId: string) => {
      const { gateId } = await office.gate()
      const [option] = (await office.handlers['gate.list']({})).gates[0]?.options ?? []
      const optionId = option?.optionId ?? ''
      await office.handlers['gate.answer']({ gateId, optionId, note: null })
      tell({ told: 'answered', gateId, optionId })
      await office.runEnds(runId)
    },
  }
  const created = (conversationId: string, name: string) => {
    tell({ told: 'conversation', conversationId, name })
    return conversationId
  }
  return person
}
