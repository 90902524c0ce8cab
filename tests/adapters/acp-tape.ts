import { readFileSync } from 'node:fs'
import { setImmediate as nextStep } from 'node:timers/promises'
import { LineReader, type LineHearer } from '../../adapters/lines.ts'
import type { ProcessEnd } from '../../adapters/ports.ts'
import type { LiveProcess } from '../../adapters/live-process.ts'
import type { Processes } from '../../adapters/process.ts'

interface Message {
  id?: number | string
  method?: string
  params?: {
    sessionId?: string
    update?: { sessionUpdate?: string }
    options?: { optionId: string; kind: string }[]
  }
  result?: { outcome?: { outcome: string; optionId?: string } }
}
interface Entry {
  ms: number
  dir: '->' | '<-'
  msg: Message
}

export const readTape = (agent: string): Entry[] =>
  readFileSync(new URL(`../fixtures/acp/${agent}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Entry)

const isRequest = ({ method, id }: Message) => method !== undefined && id !== undefined
const isPrompt = ({ dir, msg }: Entry) => dir === '->' && msg.method === 'session/prompt'

/** How many prompts were recorded. */
export const countPrompts = (tape: readonly Entry[]): number => tape.filter(isPrompt).length

/** What the person answered in one recorded turn, question by question; `null` where it was called off instead. */
export const answersIn = (tape: readonly Entry[], turn: number): ('grant' | 'deny' | null)[] => {
  const from = tape.indexOf(tape.filter(isPrompt)[turn]!)
  const until = tape.findIndex((entry, index) => index > from && entry.dir === '->' && isRequest(entry.msg))
  const part = tape.slice(from, until < 0 ? undefined : until)
  return part.flatMap(({ dir, msg }) => {
    if (dir !== '<-' || msg.method !== 'session/request_permission') return []
    const answer = part.find((entry) => entry.dir === '->' && !entry.msg.method && entry.msg.id === msg.id)
    const kind = msg.params?.options?.find(({ optionId }) => optionId === answer?.msg.result?.outcome?.optionId)?.kind
    return [kind === undefined ? null : kind.startsWith('allow') ? 'grant' : 'deny']
  })
}

/** Plays what an agent said in a recorded session, each time the client says what it was said to. */
export class TapePlayer implements LiveProcess {
  readonly pid = 1
  readonly startedAt = 0
  readonly cause = null
  readonly gone: Promise<ProcessEnd>
  readonly drained: Promise<ProcessEnd>
  /** What the client sent that is no answer: methods, with the mode where one was set. */
  readonly heard: string[] = []
  /** Called when the person called the turn off at this point. */
  cancelled: () => void = () => {}
  readonly #tape: readonly Entry[]
  readonly #ended = Promise.withResolvers<ProcessEnd>()
  readonly #answers = new Map<unknown, PromiseWithResolvers<void>>()
  #reader: LineReader | null = null
  #cancel = Promise.withResolvers<void>()
  #at = 0
  #isEnding = false

  constructor(tape: readonly Entry[]) {
    this.#tape = tape
    this.gone = this.#ended.promise
    this.drained = this.#ended.promise
  }

  get isEnding() {
    return this.#isEnding
  }

  /** Stands where the real ones are started. */
  get processes(): Pick<Processes, 'launch'> {
    return {
      launch: ({ hear }) => {
        this.#reader = new LineReader(hear)
        return Promise.resolve(this)
      },
    }
  }

  writeLast(): void {
    throw new Error('ACP has no last word')
  }

  write(line: string): boolean {
    const message = JSON.parse(line) as Message & { params?: { modeId?: string; value?: string } }
    if (message.method === undefined) this.#answerOf(message.id).resolve()
    else {
      const mode = message.params?.modeId ?? message.params?.value
      this.heard.push(mode === undefined ? message.method : `${message.method} ${mode}`)
      if (message.method === 'session/cancel') this.#cancel.resolve()
      else void this.#play(message)
    }
    return true
  }

  renewAllowance(): void {}

  end(): Promise<ProcessEnd> {
    this.#isEnding = true
    this.#ended.resolve({ code: 0, signal: null, stderr: '', killed: 0 })
    return this.gone
  }

  kill(): void {
    void this.end()
  }

  async #play(request: Message): Promise<void> {
    await nextStep()
    const from = this.#find(request)
    if (from < 0) return this.#say({ id: request.id, result: {} })
    this.#at = from + 1
    const { id } = this.#tape[from]!.msg
    let isAnswered = false
    for (; this.#at < this.#tape.length; this.#at += 1) {
      const entry = this.#tape[this.#at]!
      if (isAnswered && entry.dir === '->') break
      await nextStep()
      if (entry.dir === '->') await this.#await(entry.msg)
      else if (!entry.msg.method && entry.msg.id === id) {
        isAnswered = true
        this.#say({ ...entry.msg, id: request.id })
      } else this.#say(entry.msg)
    }
    await this.#sayWhatCameLate()
  }

  #find({ method, params }: Message): number {
    return this.#tape.findIndex(
      ({ dir, msg }, index) =>
        index >= this.#at &&
        dir === '->' &&
        msg.method === method &&
        (method !== 'session/load' || msg.params?.sessionId === params?.sessionId),
    )
  }

  /** The recorded client was so quick that its next prompt crossed what was still said to the one before. */
  async #sayWhatCameLate(): Promise<void> {
    const next = this.#tape[this.#at + 1]
    if (next?.dir !== '<-' || next.msg.params?.update?.sessionUpdate !== 'usage_update') return
    if (next.ms - this.#tape[this.#at]!.ms > 2) return
    await nextStep()
    this.#say(next.msg)
  }

  async #await(message: Message): Promise<void> {
    if (message.method === undefined) return this.#answerOf(message.id).promise
    this.cancelled()
    await this.#cancel.promise
    this.#cancel = Promise.withResolvers<void>()
  }

  #say(message: object): void {
    this.#reader?.push(Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`))
  }

  #answerOf(id: unknown): PromiseWithResolvers<void> {
    const answer = this.#answers.get(id) ?? Promise.withResolvers<void>()
    this.#answers.set(id, answer)
    return answer
  }
}

/** The lines of the first recorded answer, with one in other scripts, as bytes. */
export const firstAnswerOf = (tape: readonly Entry[]): { bytes: Buffer; sessionId: string } => {
  const from = tape.findIndex(isPrompt)
  const sessionId = tape[from]!.msg.params!.sessionId!
  const until = tape.findIndex((entry, index) => index > from && entry.dir === '->')
  const said = tape.slice(from + 1, until).filter(({ msg }) => msg.method === 'session/update')
  const foreign = {
    method: 'session/update',
    params: {
      sessionId,
      update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: ' 안녕 你好 🙂' } },
    },
  }
  const lines = [...said.slice(-4).map(({ msg }) => msg), foreign].map((msg) => `${JSON.stringify(msg)}\n`)
  return { bytes: Buffer.from(lines.join('')), sessionId }
}

/** Bytes that arrive in two pieces. */
export const pushCut = (bytes: Buffer, at: number, hear: LineHearer): void => {
  const reader = new LineReader(hear)
  reader.push(bytes.subarray(0, at))
  reader.push(bytes.subarray(at))
}
