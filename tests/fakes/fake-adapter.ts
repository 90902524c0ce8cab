import type {
  AgentAdapter,
  AgentSession,
  Answer,
  Detection,
  OpenSession,
  ProcessEnd,
  Turn,
  TurnEnd,
  TurnImage,
} from '../../adapters/ports.ts'
import { agentIds, kindOfAgent, type AgentAbilities, type AgentId, type AgentKind } from '../../shared/agent.ts'
import type { AgentEvent } from '../../shared/agent-event.ts'
import { AppError, type Failure } from '../../shared/errors.ts'
import { readPrompt } from '../../shared/read-prompt.ts'

/** What a scripted turn can do. */
interface Stage {
  prompt: string
  request: OpenSession
  /** The seat's name as the prompt says it, and the round. */
  round: number
  say: (text: string) => void
  hear: (event: AgentEvent) => void
  /** Asks a permission and waits for the answer; rejects when the turn is cancelled. */
  ask: (title: string, detail: string) => Promise<Answer>
  /** Ends the text with a vote of this attempt. */
  vote: (choice: 'agree' | 'continue', position: string, changed?: boolean) => void
  /** Waits until the turn is cancelled or the process is ended. */
  hang: () => Promise<never>
}

export type Script = (stage: Stage) => Promise<TurnEnd | void> | TurnEnd | void

interface Opened {
  request: OpenSession
  prompts: string[]
  /** What each prompt brought with it. */
  images: (readonly TurnImage[])[]
  ended: boolean
  /** What the agent was answered, by the number of its question. */
  answers: string[]
}

interface FakeOptions {
  kind?: AgentKind
  mayContinue?: boolean
  imagesMax?: number
  /** What opening a session takes; it rejects to refuse. The signal is the test's to heed or not. */
  opening?: (request: OpenSession, signal: AbortSignal) => Promise<void>
  /** `close` does not end it, only `kill` does; `immortal` is not even ended by that. */
  ending?: 'prompt' | 'stubborn' | 'immortal'
}

/** An agent of our own port without a process: what it says is in the test. */
export class FakeAdapter implements AgentAdapter {
  readonly kind: AgentKind
  readonly agents: readonly AgentId[]
  readonly transport = 'acp'
  readonly abilities: AgentAbilities
  readonly mayContinue: boolean
  readonly opened: Opened[] = []
  readonly #script: Script
  readonly #opening: FakeOptions['opening']
  readonly #ending: NonNullable<FakeOptions['ending']>
  #made = 0

  constructor(
    script: Script,
    { kind = 'rehearsal', mayContinue = true, imagesMax = 4, opening, ending = 'prompt' }: FakeOptions = {},
  ) {
    this.#script = script
    this.kind = kind
    this.abilities = {
      readOnly: 'permissions', write: true, asks: true, resume: true, imagesMax, usage: true,
    }
    this.agents = agentIds.filter((agent) => kindOfAgent(agent) === kind)
    this.mayContinue = mayContinue
    this.#opening = opening
    this.#ending = ending
  }

  get alive(): number {
    return this.opened.filter(({ ended }) => !ended).length
  }

  async detect(_signal?: AbortSignal): Promise<Detection> {
    const card = {
      readiness: 'ready',
      version: '1.0.0',
      evidence: 'is a fake',
      stages: [],
      failure: null,
      remedy: null,
      checkedAt: 1,
    } as const
    return { card, program: { file: 'fake', before: [], version: '1.0.0' } }
  }

  async open(request: OpenSession, signal: AbortSignal): Promise<AgentSession> {
    if (signal.aborted) throw new AppError('agent.cancelled', 'It was stopped before it had begun.')
    await this.#opening?.(request, signal)
    this.#made += 1
    const opened: Opened = { request, prompts: [], images: [], ended: false, answers: [] }
    this.opened.push(opened)
    const id = request.resume ?? `native-${request.agent}-${this.#made}`
    return new FakeSession(this.#script, { opened, id, ending: this.#ending })
  }
}

class FakeSession implements AgentSession {
  readonly pid = 1
  readonly startedAt = Date.now()
  readonly version = '1.0.0'
  readonly native: AgentSession['native']
  readonly gone: Promise<ProcessEnd>
  readonly #script: Script
  readonly #opened: Opened
  readonly #answers = new Map<string, (answer: Answer) => void>()
  readonly #cancelled = Promise.withResolvers<TurnEnd>()
  readonly #ending: FakeOptions['ending']
  readonly #gone = Promise.withResolvers<ProcessEnd>()
  #asked = 0

  constructor(script: Script, { opened, id, ending }: { opened: Opened; id: string; ending: FakeOptions['ending'] }) {
    this.#script = script
    this.#ending = ending
    this.#opened = opened
    this.native = { id, resumed: opened.request.resume !== null }
    this.gone = this.#gone.promise
  }

  async prompt({ prompt, images = [] }: Turn, hear: (event: AgentEvent) => void): Promise<TurnEnd> {
    this.#opened.prompts.push(prompt)
    this.#opened.images.push(images)
    const read = readPrompt(prompt)
    const stage: Stage = {
      prompt,
      request: this.#opened.request,
      round: read?.round ?? 1,
      hear,
      say: (delta) => hear({ type: 'text', delta }),
      ask: (title, detail) => this.#ask(title, detail, hear),
      vote: (choice, position, changed = false) =>
        hear({ type: 'text', delta: voteBlock(read?.nonce ?? '', { choice, position, changed, why: 'because' }) }),
      hang: () => Promise.withResolvers<never>().promise,
    }
    const played = Promise.resolve(this.#script(stage)).then((end) => end ?? { status: 'completed' as const })
    return Promise.race([played, this.#cancelled.promise])
  }

  answer(requestId: string, answer: Answer): void {
    this.#opened.answers.push(`${requestId}: ${answer.effect}`)
    this.#answers.get(requestId)?.(answer)
    this.#answers.delete(requestId)
  }

  async cancel(): Promise<void> {
    this.#cancelled.resolve({ status: 'cancelled' })
  }

  async close(): Promise<ProcessEnd> {
    this.#cancelled.resolve({ status: 'cancelled' })
    if (this.#ending === 'prompt') this.kill()
    return this.gone
  }

  kill(): void {
    if (this.#ending === 'immortal') return
    this.#opened.ended = true
    this.#gone.resolve({ code: 0, signal: null, stderr: '', killed: 0 })
  }

  #ask(title: string, detail: string, hear: (event: AgentEvent) => void): Promise<Answer> {
    this.#asked += 1
    const requestId = `request-${this.#asked}`
    hear({ type: 'asked', request: { requestId, toolId: null, kind: 'execute', title, detail, reason: null } })
    return new Promise((resolve) => {
      this.#answers.set(requestId, resolve)
    })
  }
}

/** A failed end with a code of the catalog. */
export const failing = (code: Failure['code']): TurnEnd => ({
  status: 'failed',
  failure: { code, message: 'It failed in a test.' },
})

const voteBlock = (nonce: string, vote: object) => `\n[[parley-vote ${nonce}]] ${JSON.stringify(vote)} [[/parley-vote]]`
