import type { CommandName, PushName } from './ipc.ts'

/**
 * The names alone, for the preload, which must stay small and so cannot have the schemas.
 * A name that is missing here, or that the contract does not know, is a type error.
 */
const commands = {
  'app.snapshot': true,
  'app.quit': true,
  'app.restoredRead': true,
  'agents.scan': true,
  'agents.test': true,
  'custom.list': true,
  'custom.save': true,
  'custom.remove': true,
  'custom.pick': true,
  'conversation.list': true,
  'conversation.create': true,
  'conversation.open': true,
  'conversation.rename': true,
  'conversation.update': true,
  'conversation.deletion': true,
  'workdir.make': true,
  'conversation.delete': true,
  'draft.save': true,
  'image.add': true,
  'image.remove': true,
  'image.read': true,
  'message.send': true,
  'queue.edit': true,
  'queue.send': true,
  'queue.withdraw': true,
  'run.open': true,
  'run.events': true,
  'run.timeline': true,
  'run.stop': true,
  'run.pause': true,
  'run.resume': true,
  'run.pin': true,
  'run.followUp': true,
  'run.replay': true,
  'run.preview': true,
  'run.export': true,
  'import.preview': true,
  'import.keep': true,
  'attempt.open': true,
  'attempt.output': true,
  'attempt.cancel': true,
  'attempt.retry': true,
  'attempt.replace': true,
  'attempt.kill': true,
  'delivery.open': true,
  'gate.answer': true,
  'gate.list': true,
  'install.view': true,
  'install.start': true,
  'install.cancel': true,
  'providers.list': true,
  'providers.save': true,
  'providers.activate': true,
  'providers.remove': true,
  'providers.test': true,
  'settings.save': true,
  'directory.pick': true,
  'link.open': true,
} satisfies Record<CommandName, true>

const pushes = {
  'app.changed': true,
  'settings.changed': true,
  'agents.changed': true,
  'conversations.changed': true,
  'queue.changed': true,
  'run.changed': true,
  'run.detail': true,
  'output.added': true,
  'gates.changed': true,
  'install.changed': true,
  'providers.changed': true,
  'pushes.missed': true,
} satisfies Record<PushName, true>

/** Whether the window may call this. */
export const isCommandName = (name: unknown): name is CommandName =>
  typeof name === 'string' && Object.hasOwn(commands, name)

/** Whether the window may hear this. */
export const isPushName = (name: unknown): name is PushName =>
  typeof name === 'string' && Object.hasOwn(pushes, name)
