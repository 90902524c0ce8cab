import { mkdir, stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { nameOfAgent } from '../../shared/agent.ts'
import type { Conversation } from '../../shared/conversation.ts'
import { AppError } from '../../shared/errors.ts'
import type { Handlers, Input } from '../../shared/ipc.ts'
import { roundsDefault } from '../../shared/limits.ts'
import { newGroupName } from '../turns/names.ts'
import type { Services } from './services.ts'

/** Conversations: made, opened, changed, deleted. */
export const conversationHandlers = (services: Services) =>
  ({
    'conversation.list': async ({ after, limit, query }) => services.stores.list.find({ after, limit, query }),

    'conversation.create': async (input) => {
      services.requireWritable()
      const conversation = await newConversation(services, input)
      services.stores.conversations.create(conversation)
      showRow(services, conversation.conversationId)
      return { conversationId: conversation.conversationId }
    },

    'conversation.open': async ({ conversationId, before }) =>
      services.stores.views.conversation(conversationId, before),

    'conversation.rename': async ({ conversationId, name }) => {
      services.requireWritable()
      services.stores.conversations.rename(conversationId, name, services.now())
      showRow(services, conversationId)
      return {}
    },

    'conversation.update': async ({ conversationId, ...patch }) => {
      services.requireWritable()
      const conversation = ownConversationOf(services, conversationId)
      if (patch.members) requireMembers(conversation.kind, patch.members)
      if (patch.members !== undefined || patch.allowWrite !== undefined) {
        const { members = conversation.members, allowWrite = conversation.allowWrite } = patch
        services.agents.requireHeld(members, allowWrite)
      }
      if (patch.workdir !== undefined) await requireDirectory(patch.workdir)
      // a run may have begun while we looked
      const changesWork = patch.members ?? patch.workdir ?? patch.allowWrite
      if (changesWork !== undefined) requireIdle(services, conversationId)
      const changed = services.stores.conversations.update(conversationId, patch, services.now())
      // a native session knows its folder: in another one it must begin anew
      if (patch.workdir !== undefined && patch.workdir !== conversation.workdir) {
        services.stores.sessions.clear(conversationId)
      }
      showRow(services, conversationId)
      return { conversation: changed }
    },

    'conversation.deletion': async ({ conversationId }) => {
      conversationOf(services, conversationId)
      return { deletion: { ...services.stores.deletions.of(conversationId), ...services.copiesKept() } }
    },

    'workdir.make': async ({ conversationId }) => {
      services.requireWritable()
      const { workdir } = conversationOf(services, conversationId)
      await mkdir(workdir, { recursive: true }).catch((cause: unknown) => {
        throw new AppError('workdir.not-made', 'The folder could not be made again. Choose another one.', { cause })
      })
      return {}
    },

    'conversation.delete': async ({ conversationId }) => {
      services.requireWritable()
      conversationOf(services, conversationId)
      requireIdle(services, conversationId)
      services.stores.conversations.delete(conversationId)
      services.erased()
      services.conversationLeft(conversationId)
      services.push('conversations.changed', { rows: [], removed: [conversationId] })
      return {}
    },

    'draft.save': async ({ conversationId, text }) => {
      services.requireWritable()
      ownConversationOf(services, conversationId)
      services.stores.drafts.save(conversationId, text, services.now())
      showRow(services, conversationId)
      return {}
    },
  }) satisfies Partial<Handlers>

/** Gives the conversation, or throws `conversation.unknown`. */
const conversationOf = ({ stores }: Services, conversationId: string): Conversation => {
  const conversation = stores.conversations.get(conversationId)
  if (!conversation) throw new AppError('conversation.unknown', 'This conversation is not there any more.')
  return conversation
}

/** As `conversationOf`, to do something in it. Throws `conversation.imported` where there is only something to see. */
export const ownConversationOf = (services: Services, conversationId: string): Conversation => {
  const conversation = conversationOf(services, conversationId)
  if (!services.stores.imports.has(conversationId)) return conversation
  throw new AppError('conversation.imported', 'This was opened from a file, to be looked at. Nothing starts in it.')
}

/** Shows the conversation's line as it is now. */
export const showRow = ({ stores, push }: Services, conversationId: string): void => {
  const row = stores.list.row(conversationId)
  if (row) push('conversations.changed', { rows: [row], removed: [] })
}

const newConversation = async (services: Services, input: Input<'conversation.create'>): Promise<Conversation> => {
  requireMembers(input.kind, input.members)
  services.agents.requireHeld(input.members, input.allowWrite)
  const workdir = input.workdir ?? services.ownWorkdir
  if (input.workdir === null) await mkdir(workdir, { recursive: true, mode: 0o700 })
  await requireDirectory(workdir)
  const now = services.now()
  return {
    conversationId: services.newId('conversation'),
    kind: input.kind,
    name: input.name ?? (input.kind === 'direct' ? nameOfFirst(input.members) : newGroupName),
    members: input.members,
    workdir,
    allowWrite: input.allowWrite,
    settings: input.settings ?? { rounds: input.kind === 'direct' ? 1 : roundsDefault, blindFirst: false },
    createdAt: now,
    updatedAt: now,
  }
}

const nameOfFirst = ([first]: Conversation['members']): string => (first ? nameOfAgent(first).name : newGroupName)

const requireMembers = (kind: Conversation['kind'], members: Conversation['members']): void => {
  const different = new Set(members).size
  if (different === members.length && (kind === 'direct' ? different === 1 : different >= 2)) return
  throw new AppError(
    'conversation.too-few-members',
    kind === 'direct' ? 'A chat has exactly one agent.' : 'A group needs two or more different agents.',
  )
}

const requireDirectory = async (workdir: string): Promise<void> => {
  const found = isAbsolute(workdir) ? await stat(workdir).catch(() => null) : null
  if (found?.isDirectory()) return
  throw new AppError('workdir.missing', 'There is no such folder. Choose one that exists, by its full path.')
}

const requireIdle = ({ stores, tasks }: Services, conversationId: string): void => {
  if (!tasks.isBusy(conversationId) && !stores.runs.active(conversationId)) return
  throw new AppError('conversation.busy', 'A run is active here. Stop it first, then change the conversation.')
}
