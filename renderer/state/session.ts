import type { Conversation } from '../../shared/conversation.ts'
import type { Failure } from '../../shared/errors.ts'
import type { ImageNote } from '../../shared/attachment.ts'
import type { Bridge, CommandName, Envelope, Input, Output, Reply } from '../../shared/ipc.ts'
import { conversationsPageMax, eventsPageMax } from '../../shared/limits.ts'
import type { Settings } from '../../shared/settings.ts'
import { emptyModel, type Model } from './model.ts'
import { withPushes, withPushesAgain } from './push.ts'
import { inWorld, upserted, withConversation, withEvents, withRun, withSnapshot } from './read.ts'

/** Holds what main said, and asks again for what was missed. */
export class Session {
  readonly #bridge: Bridge
  readonly #hearers = new Set<() => void>()
  #model: Model = emptyModel
  #mending = false
  readonly #readingEvents = new Set<string>()
  /** What was pushed since each of the answers that are on their way was asked for. */
  readonly #meanwhile = new Set<Envelope[]>()

  constructor(bridge: Bridge) {
    this.#bridge = bridge
  }

  get model() {
    return this.#model
  }

  readonly subscribe = (hear: () => void) => {
    this.#hearers.add(hear)
    return () => this.#hearers.delete(hear)
  }

  /** Listens first and reads then, so that nothing falls between; gives back the way to stop. */
  start() {
    const stop = this.#bridge.listen((envelopes) => {
      for (const pushed of this.#meanwhile) pushed.push(...envelopes)
      this.#set(withPushes(this.#model, envelopes))
    })
    void this.#begin()
    return stop
  }

  /** Reads everything again, after the first reading failed. */
  async again() {
    await this.#readAll()
  }

  async call<N extends CommandName>(name: N, input: Input<N>): Promise<Reply<Output<N>>> {
    try {
      return await this.#bridge.call(name, input)
    } catch {
      return { ok: false, failure: unexpected }
    }
  }

  async openConversation(conversationId: string): Promise<Failure | null> {
    return this.#read('conversation.open', { conversationId, before: null }, (model, view) =>
      withConversation(model, view, 'newest'))
  }

  async openOlder(conversationId: string): Promise<Failure | null> {
    const before = this.#model.world?.conversations[conversationId]?.older ?? null
    if (before === null) return null
    return this.#read('conversation.open', { conversationId, before }, (model, view) =>
      withConversation(model, view, 'older'))
  }

  /** Reads the transitions of a run that have not been read yet. */
  async readEvents(runId: string) {
    if (this.#readingEvents.has(runId)) return
    this.#readingEvents.add(runId)
    let more = true
    while (more) {
      const after = this.#model.world?.runs[runId]?.events.at(-1)?.seq ?? 0
      // each page begins where the one before ended
      const reply = await this.call('run.events', { runId, after, limit: eventsPageMax })
      more = reply.ok && reply.value.more && reply.value.events.length > 0
      if (reply.ok) this.#set(withEvents(this.#model, runId, reply.value.events, !more))
    }
    this.#readingEvents.delete(runId)
  }

  async moreConversations() {
    const after = this.#model.world?.moreConversations ?? null
    const page = { after, limit: conversationsPageMax, query: '' }
    await this.#read('conversation.list', page, (model, { rows, more }) =>
      inWorld(model, (world) => ({ ...world, rows: upserted(world.rows, rows), moreConversations: more })))
  }

  /** Puts in what a command gave back about a conversation; only its row is pushed. */
  knowConversation(conversation: Conversation) {
    this.#set(
      inWorld(this.#model, (world) => {
        const open = world.conversations[conversation.conversationId]
        if (!open) return world
        return {
          ...world,
          conversations: { ...world.conversations, [conversation.conversationId]: { ...open, conversation } },
        }
      }),
    )
  }

  /** Looks for agents anew. */
  async scan() {
    const reply = await this.call('agents.scan', {})
    if (reply.ok) this.#set(inWorld(this.#model, (world) => ({ ...world, agents: reply.value.agents })))
  }

  /** Asks what can be installed, and what is being installed. */
  async readInstall() {
    const reply = await this.call('install.view', {})
    if (!reply.ok) return
    const { install, recipes } = reply.value
    this.#set(inWorld(this.#model, (world) => ({ ...world, install, offers: recipes })))
  }

  /** Reads the provider profiles; gives back why they could not be read. */
  async readProviders(): Promise<Failure | null> {
    const reply = await this.call('providers.list', {})
    if (!reply.ok) return reply.failure
    this.#set(inWorld(this.#model, (world) => ({ ...world, providers: reply.value })))
    return null
  }

  /** Shows a preference at once without keeping it: what still moves under the pointer. */
  showSettings(patch: Partial<Settings>) {
    this.#set(inWorld(this.#model, (world) => ({ ...world, settings: { ...world.settings, ...patch } })))
  }

  /** Shows a preference at once and keeps it; gives back why it will not last beyond this window. */
  async saveSettings(patch: Partial<Settings>): Promise<Failure | null> {
    this.showSettings(patch)
    const reply = await this.call('settings.save', { patch })
    return reply.ok ? null : reply.failure
  }

  /** Keeps a draft; what is typed meanwhile stays with whoever types. */
  async saveDraft(conversationId: string, text: string) {
    this.#set(
      inWorld(this.#model, (world) => {
        const open = world.conversations[conversationId]
        if (!open) return world
        return { ...world, conversations: { ...world.conversations, [conversationId]: { ...open, draft: text } } }
      }),
    )
    await this.call('draft.save', { conversationId, text })
  }

  /** Puts an image into a draft; gives back why it was refused. */
  async addImage(image: Input<'image.add'>): Promise<Failure | null> {
    const reply = await this.call('image.add', image)
    if (!reply.ok) return reply.failure
    this.#setDraftImages(image.conversationId, (known) => [...known, reply.value.image])
    return null
  }

  /** Takes an image off a draft; gives back why that was refused. */
  async removeImage(conversationId: string, imageId: string): Promise<Failure | null> {
    const reply = await this.call('image.remove', { conversationId, imageId })
    if (!reply.ok) return reply.failure
    this.dropDraftImages(conversationId, [imageId])
    return null
  }

  /** These are with a message from now on, or nowhere. */
  dropDraftImages(conversationId: string, imageIds: readonly string[]) {
    this.#setDraftImages(conversationId, (known) => known.filter(({ imageId }) => !imageIds.includes(imageId)))
  }

  #setDraftImages(conversationId: string, change: (known: readonly ImageNote[]) => readonly ImageNote[]) {
    this.#set(
      inWorld(this.#model, (world) => {
        const open = world.conversations[conversationId]
        if (!open) return world
        const changed = { ...open, draftImages: change(open.draftImages) }
        return { ...world, conversations: { ...world.conversations, [conversationId]: changed } }
      }),
    )
  }

  async #begin() {
    if (await this.#readAll()) await this.scan()
  }

  async #readAll() {
    const open = Object.keys(this.#model.world?.conversations ?? {})
    const failure = await this.#read('app.snapshot', {}, withSnapshot)
    if (failure) {
      this.#set({ ...this.#model, failure })
      return false
    }
    if (this.#model.world?.offers) await this.readInstall()
    if (this.#model.world?.providers) void this.readProviders()
    await Promise.all(open.map((conversationId) => this.openConversation(conversationId)))
    return true
  }

  #set(model: Model) {
    if (model === this.#model) return
    this.#model = model
    for (const hear of this.#hearers) hear()
    if ((model.missed || model.staleRuns.length > 0) && !this.#mending) void this.#mend()
  }

  /** Reads again what a missed push left open. */
  async #mend() {
    this.#mending = true
    const mended = !this.#model.missed || (await this.#readAll())
    await Promise.all(this.#model.staleRuns.map((runId) => this.#readRun(runId)))
    this.#mending = false
    if ((mended && this.#model.missed) || this.#model.staleRuns.length > 0) void this.#mend()
  }

  async #readRun(runId: string) {
    const failure = await this.#read('run.open', { runId }, withRun)
    if (!failure) return
    const rest = this.#model.staleRuns.filter((other) => other !== runId)
    this.#set({ ...this.#model, staleRuns: rest })
  }

  /** Asks main, and puts what was pushed meanwhile over the answer: main may have given it before that. */
  async #read<N extends CommandName>(
    name: N,
    input: Input<N>,
    put: (model: Model, answer: Output<N>) => Model,
  ): Promise<Failure | null> {
    const pushed: Envelope[] = []
    this.#meanwhile.add(pushed)
    const reply = await this.call(name, input)
    this.#meanwhile.delete(pushed)
    if (!reply.ok) return reply.failure
    this.#set(withPushesAgain(put(this.#model, reply.value), pushed))
    return null
  }
}

const unexpected: Failure = { code: 'internal.unexpected', message: 'Main did not answer.' }
