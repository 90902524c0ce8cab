import { setTimeout as after } from 'node:timers/promises'
import { AppError, type Failure } from '../../../shared/errors.ts'
import { launchMs, protocolCancelMs } from '../../../shared/limits.ts'
import { RpcPeer, RpcRefusal } from '../../json-rpc.ts'
import type { Omitted } from '../../lines.ts'
import { MessageReader } from '../../messages.ts'
import type { LiveProcess } from '../../live-process.ts'
import type { AgentSession, Answer, OpenSession, ProcessEnd, Turn, TurnEnd, TurnImage } from '../../ports.ts'
import type { Hidden } from '../../redact.ts'
import type { AgentEvent } from '../../../shared/agent-event.ts'
import { failureOf } from '../failures.ts'
import { checkImages } from '../images.ts'
import { LiveSession } from '../live-session.ts'
import { ConfigRead, Initialized, ItemNews, ResolvedNews, ThreadOpened, TurnNews, TurnOpened } from './protocol.ts'
import { politeNo, readQuestion } from './read-question.ts'
import { CodexReader } from './read-turn.ts'

/** Holds one thread of a live `codex app-server`. */
export class CodexSession implements AgentSession {
  readonly startedAt: number
  readonly version: string
  native: AgentSession['native'] = { id: '', resumed: false }
  readonly #request: OpenSession
  readonly #live: LiveSession
  readonly #peer: RpcPeer
  readonly #messages = new MessageReader({
    message: (message, characters) => this.#readMessage(message, characters),
    noise: (line) => this.#live.noteNoise(line),
  })
  #reader: CodexReader
  #turnId: string | null = null
  #pastTurnId: string | null = null
  #starting: Promise<unknown> = Promise.resolve()
  #lineLength = 0

  constructor(request: OpenSession, hidden: Hidden, firstByteMs = launchMs) {
    this.startedAt = Date.now()
    this.version = request.program.version
    this.#request = request
    this.#live = new LiveSession({
      name: 'Codex',
      hidden,
      launchMs: firstByteMs,
      ended: (error) => this.#peer.close(error),
    })
    this.#reader = new CodexReader('', request)
    this.#peer = new RpcPeer((line) => this.#live.write(line), {
      notified: (method, params) => this.#notified(method, params),
      requested: (id, method, params) => this.#requested(id, method, params),
    })
  }

  get pid() {
    return this.#live.process.pid
  }

  get gone() {
    return this.#live.process.gone
  }

  get noise() {
    return this.#live.words.noise
  }

  readonly lines = {
    line: (text: string) => this.#messages.line(text),
    omitted: (line: Omitted) =>
      this.#live.take([{ type: 'omitted', what: 'a line of codex that is too long', ...line }]),
  }

  /** Greets the server and starts or resumes the thread; throws as `AgentAdapter.open` does. */
  async open(process: LiveProcess): Promise<void> {
    this.#live.attach(process)
    const hello = Initialized.safeParse(
      await this.#peer.request('initialize', {
        clientInfo: { name: 'parley', title: 'Parley', version: '0.1.0' },
        capabilities: null,
      }),
    )
    if (!hello.success)
      throw new AppError('agent.incompatible', 'This version of Codex greets in a way that is not known.')
    this.#peer.notify('initialized')
    const { resume } = this.#request
    const thread = ThreadOpened.safeParse(await this.#openThread(resume))
    if (!thread.success)
      throw new AppError('agent.incompatible', 'This version of Codex opens threads in a way that is not known.')
    const { id } = thread.data.thread
    if (resume !== null && id !== resume)
      throw new AppError('agent.session-lost', 'Codex began another session than the one asked for.')
    this.native = { id, resumed: resume !== null }
    this.#reader = new CodexReader(id, this.#request)
  }

  async prompt({ prompt, images = [] }: Turn, hear: (event: AgentEvent) => void): Promise<TurnEnd> {
    const turn = this.#live.begin({ hear, giveUp: () => void this.#interrupt() })
    if (!turn) return { status: 'failed', failure: failureOf('agent.busy') }
    this.#pastTurnId = this.#turnId
    this.#turnId = null
    this.#reader.beginTurn()
    turn.take([{ type: 'session', nativeId: this.native.id, resumed: this.native.resumed }])
    this.#starting = this.#startTurn(prompt, images).catch((error: unknown) => {
      turn.end({ status: 'failed', failure: failureOfRequest(error) })
    })
    return turn.ended
  }

  answer(requestId: string, answer: Answer) {
    this.#live.answer(requestId, answer)
  }

  async cancel(): Promise<void> {
    await this.#live.cancel(() => this.#interrupt())
  }

  async close(): Promise<ProcessEnd> {
    await this.cancel()
    return this.#live.process.end()
  }

  kill() {
    this.#live.process.kill()
  }

  async #openThread(resume: string | null): Promise<unknown> {
    const { cwd, allowWrite } = this.#request
    const how = {
      cwd,
      // in read-only the sandbox refuses; what codex would still ask is declined, so that the refusal can be seen
      sandbox: allowWrite ? 'workspace-write' : 'read-only',
      approvalPolicy: allowWrite ? 'untrusted' : 'on-request',
      approvalsReviewer: 'user',
      ...(allowWrite ? {} : { config: await this.#withoutServers() }),
    }
    const opened =
      resume === null
        ? this.#peer.request('thread/start', how)
        : this.#peer.request('thread/resume', { threadId: resume, excludeTurns: true, ...how })
    return opened.catch((error: unknown) => {
      if (!(error instanceof RpcRefusal)) throw error
      const failure = failureOf(resume === null ? 'agent.incompatible' : 'agent.session-lost', error.message)
      throw new AppError(failure.code, failure.message, { cause: error, params: failure.params })
    })
  }

  /** Tools of other servers run outside the sandbox, so that a read-only session starts none of them. */
  async #withoutServers(): Promise<Record<string, boolean>> {
    const answer = await this.#peer.request('config/read', { cwd: this.#request.cwd }).catch(ignoreRefusal)
    const servers = ConfigRead.safeParse(answer).data?.config.mcp_servers ?? {}
    return Object.fromEntries(Object.keys(servers).map((name) => [`mcp_servers.${name}.enabled`, false]))
  }

  async #startTurn(prompt: string, images: readonly TurnImage[]) {
    // it reads them by itself, and goes on without one that is not there
    await checkImages(images)
    const opened = TurnOpened.parse(
      await this.#peer.request('turn/start', {
        threadId: this.native.id,
        input: [
          { type: 'text', text: prompt, text_elements: [] },
          ...images.map(({ file }) => ({ type: 'localImage', path: file })),
        ],
      }),
    )
    this.#turnId = opened.turn.id
  }

  async #interrupt() {
    const interrupted = this.#starting
      .then(() =>
        this.#peer.request('turn/interrupt', {
          threadId: this.native.id,
          turnId: this.#turnId,
        }),
      )
      .catch(() => null)
    await Promise.race([interrupted, after(protocolCancelMs, null, { ref: false })])
  }

  #readMessage(message: object, characters: number) {
    this.#lineLength = characters
    if (this.#peer.take(message)) this.#live.words.noteMessage()
    else this.#live.noteNoise(JSON.stringify(message))
  }

  #notified(method: string, params: unknown) {
    if (method === 'serverRequest/resolved') {
      const news = ResolvedNews.safeParse(params)
      if (news.success) this.#live.withdraw(news.data.requestId)
      return
    }
    // a turn that was given up may still have things to say
    if (this.#pastTurnId !== null && turnOf(params) === this.#pastTurnId) return
    if (method === 'turn/started') this.#noteTurn(params)
    if (isFromModel(method, params)) this.#live.turn?.markAlive()
    this.#live.take(this.#reader.read(method, params, this.#lineLength))
  }

  /** The turn's id also comes in the answer to our request, but what is said in between must already know it. */
  #noteTurn(params: unknown) {
    const news = TurnNews.safeParse(params)
    if (news.success && news.data.threadId === this.native.id) this.#turnId = news.data.turn.id
  }

  #requested(id: string | number, method: string, params: unknown) {
    const asked = readQuestion(method, params, (itemId) => this.#reader.changesOf(itemId), this.#request)
    if (!asked) return this.#decline(id, method)
    if (!this.#request.allowWrite || this.#live.isIdle) return this.#peer.reply(id, asked.resultOf('deny'))
    // its sandbox lets it read anyway, and only the workspace be written
    if (asked.onlyReads) return this.#peer.reply(id, asked.resultOf('grant'))
    this.#live.ask(id, asked.request, (answer) => this.#reply(id, asked.resultOf(answer.effect), answer))
  }

  #reply(id: string | number, result: unknown, { effect, note }: Answer) {
    this.#peer.reply(id, result)
    if (effect === 'grant' || note === null || this.#turnId === null) return
    // a refusal of codex has no room for words, so they follow it into the running turn
    this.#peer
      .request('turn/steer', {
        threadId: this.native.id,
        expectedTurnId: this.#turnId,
        input: [{ type: 'text', text: `I declined that. ${note}`, text_elements: [] }],
      })
      .catch(() => null)
  }

  #decline(id: string | number, method: string) {
    const no = politeNo(method)
    if (no === null) this.#peer.refuse(id, -32_601, `${method} is not supported by this client.`)
    else this.#peer.reply(id, no)
  }
}

/** Read by hand: this is asked of every delta. */
const turnOf = (params: unknown): unknown => {
  if (typeof params !== 'object' || params === null) return null
  if ('turnId' in params) return params.turnId
  return 'turn' in params && typeof params.turn === 'object' && params.turn !== null && 'id' in params.turn
    ? params.turn.id
    : null
}

/** Codex says at once that a turn has begun and echoes its input: neither means that the model is there. */
const isFromModel = (method: string, params: unknown): boolean => {
  if (!method.startsWith('item/')) return false
  if (method !== 'item/started' && method !== 'item/completed') return true
  const news = ItemNews.safeParse(params)
  return !news.success || news.data.item.type !== 'userMessage'
}

/** An older server does not know the request. */
const ignoreRefusal = (error: unknown): null => {
  if (error instanceof RpcRefusal) return null
  throw error
}

const failureOfRequest = (error: unknown): Failure => {
  if (error instanceof AppError) return failureOf(error.code, error.message, error.params)
  if (error instanceof RpcRefusal) return failureOf('agent.refused', error.message)
  return failureOf('agent.garbled')
}
