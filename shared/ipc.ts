import * as z from 'zod'
import { AgentCard, AgentId, AgentKind, ConnectionTest, CustomAgentId } from './agent.ts'
import { ImageName, ImageNote, ImagePreview } from './attachment.ts'
import { Conversation, ConversationName, Draft, Members, QueuedMessage, RoundSettings } from './conversation.ts'
import { CustomAgentView, CustomAgentWish } from './custom-agent.ts'
import { Deletion } from './deletion.ts'
import type { Failure } from './errors.ts'
import { GateRecord } from './gate.ts'
import { Id } from './ids.ts'
import { InstallOffer, InstallView } from './install.ts'
import { ActorView, LedgerEvent } from './ledger.ts'
import {
  conversationsPageMax,
  eventsPageMax,
  gateNoteMaxCharacters,
  imageCommandMaxBytes,
  imagesPerMessageMax,
  outputPageMax,
  runFileMaxBytes,
  topicMaxCharacters,
} from './limits.ts'
import { ProviderDraft, ProviderProfile, ProviderTest } from './provider.ts'
import { QuitSurvey, QuitWish } from './quit.ts'
import { ReplayResult } from './replay.ts'
import { RunRecord } from './run.ts'
import { RunFilePreview } from './run-file.ts'
import { Settings } from './settings.ts'
import { TimelinePage } from './timeline.ts'
import {
  AppSnapshot,
  AppState,
  AttemptView,
  ConversationRow,
  ConversationView,
  OutputRow,
  RunDetail,
  RunView,
  TurnView,
} from './view.ts'

const nothing = z.strictObject({})
const done = z.object({})
const cursor = z.string().max(200)
const MessageText = z.string().max(topicMaxCharacters)
const RunFileText = z.strictObject({ text: z.string().max(runFileMaxBytes) })
const Workdir = z.string().min(1).max(4_000)

/** Every command of the window, once: strict input (unknown keys refused), stripped output. */
export const commands = {
  'app.snapshot': { input: nothing, output: AppSnapshot },
  /** Quits when it would interrupt nothing, or as the person wishes; gives back what it would mean. */
  'app.quit': {
    input: z.strictObject({ wish: QuitWish }),
    output: z.object({ quitting: AppState.shape.quitting, survey: QuitSurvey }),
  },
  /** The person has read that a backup was opened: it is not said again. */
  'app.restoredRead': { input: nothing, output: done },
  'agents.scan': { input: nothing, output: z.object({ agents: z.array(AgentCard) }) },
  /** Lets an agent answer one short question; what came of it is in its card too. */
  'agents.test': { input: z.strictObject({ agent: AgentId }), output: ConnectionTest },

  'custom.list': { input: nothing, output: z.object({ agents: z.array(CustomAgentView) }) },
  'custom.save': { input: CustomAgentWish, output: z.object({ saved: CustomAgentView }) },
  /** Refused while a conversation has it as a member. */
  'custom.remove': { input: z.strictObject({ agent: CustomAgentId }), output: done },
  'custom.pick': { input: nothing, output: z.object({ path: z.string().nullable() }) },

  'conversation.list': {
    input: z.strictObject({
      after: cursor.nullable(),
      limit: z.number().int().min(1).max(conversationsPageMax),
      query: z.string().max(200),
    }),
    output: z.object({ rows: z.array(ConversationRow), more: z.string().nullable() }),
  },
  'conversation.create': {
    input: z.strictObject({
      kind: z.enum(['direct', 'group']),
      name: ConversationName.nullable(),
      members: Members,
      workdir: Workdir.nullable(),
      allowWrite: z.boolean(),
      settings: RoundSettings.nullable(),
    }),
    output: z.object({ conversationId: Id }),
  },
  'conversation.open': {
    input: z.strictObject({ conversationId: Id, before: cursor.nullable() }),
    output: ConversationView,
  },
  'conversation.rename': { input: z.strictObject({ conversationId: Id, name: ConversationName }), output: done },
  'conversation.update': {
    input: z.strictObject({
      conversationId: Id,
      members: Members.optional(),
      workdir: Workdir.optional(),
      allowWrite: z.boolean().optional(),
      settings: RoundSettings.optional(),
    }),
    output: z.object({ conversation: Conversation }),
  },
  /** What deleting it would take away, and what would stay. */
  'conversation.deletion': { input: z.strictObject({ conversationId: Id }), output: z.object({ deletion: Deletion }) },
  /** Makes the conversation's own working directory again where it went away; what is there stays as it is. */
  'workdir.make': { input: z.strictObject({ conversationId: Id }), output: done },
  'conversation.delete': { input: z.strictObject({ conversationId: Id }), output: done },
  'draft.save': { input: z.strictObject({ conversationId: Id, text: Draft }), output: done },

  /** Keeps a private copy in the draft. `type` is what the file claims to be, empty where it claims nothing. */
  'image.add': {
    input: z.strictObject({
      conversationId: Id,
      name: ImageName,
      type: z.string().max(100),
      dataBase64: z.string().max(imageCommandMaxBytes),
    }),
    output: z.object({ image: ImageNote }),
  },
  /** Takes an image off the draft or off a message that waits; one that is not there is taken off already. */
  'image.remove': { input: z.strictObject({ conversationId: Id, imageId: Id }), output: done },
  'image.read': { input: z.strictObject({ imageId: Id }), output: z.object({ dataUrl: ImagePreview }) },

  /** Starts a run, or queues the message when one is active. `images` names those of the draft that go with it. */
  'message.send': {
    input: z.strictObject({
      conversationId: Id,
      text: MessageText,
      images: z.array(Id).max(imagesPerMessageMax).optional(),
      targets: Members.nullable(),
      settings: RoundSettings.nullable(),
      unlimitedConfirmed: z.boolean(),
    }),
    output: z.object({ runId: Id.nullable(), queuedId: Id.nullable() }),
  },
  'queue.edit': { input: z.strictObject({ conversationId: Id, queuedId: Id, text: MessageText }), output: done },
  /** Starts what waits, where no run does it by itself: after a stop, or after a restart. */
  'queue.send': { input: z.strictObject({ conversationId: Id, queuedId: Id }), output: z.object({ runId: Id }) },
  'queue.withdraw': { input: z.strictObject({ conversationId: Id, queuedId: Id }), output: done },

  'run.open': { input: z.strictObject({ runId: Id }), output: RunView },
  'run.events': {
    input: z.strictObject({
      runId: Id,
      after: z.number().int().nonnegative(),
      limit: z.number().int().min(1).max(eventsPageMax),
    }),
    output: z.object({ events: z.array(LedgerEvent), more: z.boolean() }),
  },
  /** How a run came to where it is, page by page, and with the last page what it came to. */
  'run.timeline': {
    input: z.strictObject({
      runId: Id,
      after: z.number().int().nonnegative(),
      limit: z.number().int().min(1).max(eventsPageMax),
    }),
    output: TimelinePage,
  },
  'run.stop': { input: z.strictObject({ runId: Id }), output: done },
  /** Holds after the round that is going on. */
  'run.pause': { input: z.strictObject({ runId: Id }), output: done },
  'run.resume': { input: z.strictObject({ runId: Id }), output: done },
  /** Keeps what is left of its details for ever, or lets them go with age like all others. */
  'run.pin': { input: z.strictObject({ runId: Id, pinned: z.boolean() }), output: done },
  /** A linked run from our own transcript: with every seat, or the named ones. */
  'run.followUp': {
    input: z.strictObject({
      runId: Id,
      seats: z.array(z.string()).min(1).nullable(),
      replace: z.record(z.string(), AgentId),
    }),
    output: z.object({ runId: Id }),
  },
  /** Runs a settled run's own orchestration once more over its record, without an agent, and compares. */
  'run.replay': { input: z.strictObject({ runId: Id }), output: ReplayResult },
  /** What would be in the file of a settled run. */
  'run.preview': { input: z.strictObject({ runId: Id }), output: RunFilePreview },
  /** Saves that file where the shell says; `null` where the person thought better of it. */
  'run.export': { input: z.strictObject({ runId: Id }), output: z.object({ path: z.string().nullable() }) },
  /** What is in a file, before it is kept. */
  'import.preview': { input: RunFileText, output: RunFilePreview },
  /** Keeps its run in a conversation of its own, to be looked at. */
  'import.keep': { input: RunFileText, output: z.object({ conversationId: Id, runId: Id }) },

  'attempt.open': { input: z.strictObject({ attemptId: Id }), output: AttemptView },
  'attempt.output': {
    input: z.strictObject({
      attemptId: Id,
      after: z.number().int().nonnegative(),
      limit: z.number().int().min(1).max(outputPageMax),
    }),
    output: z.object({ rows: z.array(OutputRow), more: z.boolean() }),
  },
  'attempt.cancel': { input: z.strictObject({ runId: Id, attemptId: Id }), output: done },
  'attempt.retry': { input: z.strictObject({ runId: Id, attemptId: Id }), output: done },
  'attempt.replace': { input: z.strictObject({ runId: Id, attemptId: Id, agent: AgentId }), output: done },
  /** Ends a process that ignored everything else. */
  'attempt.kill': { input: z.strictObject({ runId: Id, attemptId: Id }), output: done },
  'delivery.open': {
    input: z.strictObject({ deliveryId: Id }),
    output: z.object({ prompt: z.string(), sha256: z.string() }),
  },

  'gate.answer': {
    input: z.strictObject({
      gateId: Id,
      optionId: z.string().max(60),
      note: z.string().max(gateNoteMaxCharacters).nullable(),
    }),
    output: z.object({ gate: GateRecord }),
  },
  'gate.list': { input: nothing, output: z.object({ gates: z.array(GateRecord) }) },

  'install.view': {
    input: nothing,
    output: z.object({ install: InstallView.nullable(), recipes: z.array(InstallOffer) }),
  },
  /** Gives back as soon as it has begun; everything after that is pushed. */
  'install.start': { input: z.strictObject({ agent: AgentId }), output: z.object({ taskId: Id }) },
  /** Resolves once nothing of it lives any more and what it left is removed. */
  'install.cancel': { input: z.strictObject({ taskId: Id }), output: done },
  /** `keepsKeys`: whether this window's system protects a key that is saved. */
  'providers.list': {
    input: nothing,
    output: z.object({ profiles: z.array(ProviderProfile), keepsKeys: z.boolean() }),
  },
  'providers.save': { input: ProviderDraft, output: z.object({ profile: ProviderProfile }) },
  /** `null`: the agent works with its own login again. */
  'providers.activate': { input: z.strictObject({ kind: AgentKind, profileId: Id.nullable() }), output: done },
  'providers.remove': { input: z.strictObject({ profileId: Id }), output: done },
  /** One minimal call to the provider. */
  'providers.test': { input: z.strictObject({ profileId: Id }), output: z.object({ test: ProviderTest }) },

  'settings.save': { input: z.strictObject({ patch: Settings.partial() }), output: z.object({ settings: Settings }) },
  'directory.pick': { input: nothing, output: z.object({ path: z.string().nullable() }) },
  'link.open': { input: z.strictObject({ url: z.string().max(2_000) }), output: done },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>

/** Every push to the window. Each envelope carries a sequence number of its topic. */
export const pushes = {
  'app.changed': z.object({ app: AppState }),
  'settings.changed': z.object({ settings: Settings }),
  'agents.changed': z.object({ agents: z.array(AgentCard) }),
  'conversations.changed': z.object({ rows: z.array(ConversationRow), removed: z.array(Id) }),
  'queue.changed': z.object({ conversationId: Id, queue: z.array(QueuedMessage) }),
  /** A patch: the run, the actors that moved, the turns that changed (their text is left as it is when `null`). */
  'run.changed': z.object({
    run: RunRecord,
    actors: z.array(ActorView),
    turns: z.array(TurnView.extend({ text: z.string().nullable() })),
    events: z.array(LedgerEvent),
    seq: z.number().int(),
  }),
  'run.detail': z.object({ runId: Id, detail: RunDetail }),
  'output.added': z.object({ runId: Id, rows: z.array(OutputRow) }),
  'gates.changed': z.object({ gates: z.array(GateRecord) }),
  'install.changed': z.object({ install: InstallView }),
  'providers.changed': z.object({ profiles: z.array(ProviderProfile) }),
  /** The window fell too far behind: pushes were let go, and everything that it shows has to be read again. */
  'pushes.missed': z.object({}),
} as const satisfies Record<string, z.ZodType>

export type CommandName = keyof typeof commands
export type Input<N extends CommandName> = z.infer<(typeof commands)[N]['input']>
export type Output<N extends CommandName> = z.infer<(typeof commands)[N]['output']>
export type Handlers = { [N in CommandName]: (input: Input<N>) => Promise<Output<N>> }

export type PushName = keyof typeof pushes
export type Push<N extends PushName> = z.infer<(typeof pushes)[N]>
export type Envelope = { [N in PushName]: { topic: N; seq: number; at: number; body: Push<N> } }[PushName]

/** What every call comes back as; only a message would survive a thrown error. */
export type Reply<Value> = { ok: true; value: Value } | { ok: false; failure: Failure }

/** What the preload gives the page as `window.parley`. */
export interface Bridge {
  call<N extends CommandName>(name: N, input: Input<N>): Promise<Reply<Output<N>>>
  /** Hears every push; gives back the way to stop. Envelopes arrive in batches, in order. */
  listen(hear: (envelopes: readonly Envelope[]) => void): () => void
}

export const commandNames = Object.keys(commands) as CommandName[]
