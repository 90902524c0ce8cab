import { client, methods, RequestError, type AnyMessage, type ClientConnection } from '@agentclientprotocol/sdk'
import * as z from 'zod'
import type { Failure } from '../../../shared/errors.ts'
import { noiseLinesMax } from '../../../shared/limits.ts'
import type { LineHearer, Omitted } from '../../lines.ts'
import { MessageReader, type NoisePlace } from '../../messages.ts'
import { plainLine } from '../../terminal-codes.ts'
import type { LiveProcess } from '../../live-process.ts'
import { failureOf } from '../failures.ts'

/** Whoever has the floor hears what the agent says; nobody does before the session is open. */
export interface AcpListener {
  update(params: unknown): void
  ask(params: PermissionParams): Promise<PermissionOutcome>
  omitted(what: string, line: Omitted | { bytes: number; sha256: null }): void
}

/** Lenient on purpose: a question with an option kind that we do not know must still reach the person. */
export const PermissionParams = z.object({
  sessionId: z.string(),
  toolCall: z.looseObject({ toolCallId: z.string() }),
  options: z.array(z.object({ optionId: z.string(), kind: z.string().catch('unknown') })),
})
export type PermissionParams = z.infer<typeof PermissionParams>

export type PermissionOutcome =
  | { outcome: { outcome: 'cancelled' } }
  | { outcome: { outcome: 'selected'; optionId: string; _meta?: Record<string, unknown> } }

/** Carries JSON-RPC messages between the lines of a process and the SDK's client. */
export class AcpWire implements LineHearer {
  readonly connection: ClientConnection
  listener: AcpListener | null = null
  #process: LiveProcess | null = null
  #incoming: ReadableStreamDefaultController<AnyMessage> | null = null
  #fault: Failure | null = null
  #noiseLines = 0
  #heard: 'protocol' | 'noise' | 'nothing' = 'nothing'
  readonly #messages = new MessageReader({
    message: (message) => this.#hear(message),
    noise: (line, place) => this.#hearNoise(line, place),
  })

  constructor() {
    this.connection = client({ name: 'parley' })
      .onRequest(methods.client.session.requestPermission, PermissionParams, ({ params }) => this.#ask(params))
      .connect({
        readable: new ReadableStream({
          start: (controller) => {
            this.#incoming = controller
          },
        }),
        writable: new WritableStream({ write: (message) => this.#write(message) }),
      })
    // whoever waits for an answer hears of it; nobody else needs to
    this.connection.closed.catch(() => {})
  }

  attach(process: LiveProcess): void {
    this.#process = process
    void process.drained.then(() => this.connection.close())
  }

  line(text: string): void {
    if (!this.connection.signal.aborted) this.#messages.line(text)
  }

  omitted(line: Omitted): void {
    // before the first turn it is a piece of replayed history
    this.listener?.omitted('a line too long to keep', line)
  }

  /** What broke the conversation, if the wire noticed before the process did. */
  get fault(): Failure | null {
    return this.#fault
  }

  /** Both still listen to each other. */
  get isOpen(): boolean {
    return this.#fault === null && !this.connection.signal.aborted
  }

  get heard(): 'protocol' | 'noise' | 'nothing' {
    return this.#heard
  }

  #hear(value: object): void {
    // not left to the SDK: it writes unknown updates to the console, and starts handlers of one chunk out of order
    if (isUpdate(value)) {
      this.#heard = 'protocol'
      return this.listener?.update(value.params)
    }
    const message = Message.safeParse(value)
    if (!message.success) return this.#fail()
    this.#heard = 'protocol'
    this.#incoming?.enqueue(message.data)
  }

  #ask(params: PermissionParams): Promise<PermissionOutcome> {
    if (!this.listener) throw RequestError.invalidRequest(undefined, 'no turn is running')
    return this.listener.ask(params)
  }

  #write(message: AnyMessage): void {
    if (!this.#process?.write(JSON.stringify(message))) throw new Error('The agent reads no more.')
  }

  #hearNoise(text: string, place: NoisePlace): void {
    const plain = plainLine(text)
    if (plain === '' || place === 'inside') return
    if (place === 'torn' || plain.startsWith('{')) return this.#fail()
    this.#noiseLines += 1
    if (this.#heard === 'nothing') this.#heard = 'noise'
    if (this.#noiseLines > noiseLinesMax) return this.#fail()
    this.listener?.omitted('a line that is no message', { bytes: Buffer.byteLength(text), sha256: null })
  }

  #fail(): void {
    if (this.#fault) return
    this.#fault = failureOf('agent.garbled')
    this.connection.close()
    void this.#process?.end(this.#fault)
  }
}

const Parts = z.looseObject({
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string().optional(),
})
const Message = z.custom<AnyMessage>((value) => {
  const parts = Parts.safeParse(value)
  return parts.success && (parts.data.method !== undefined || 'result' in parts.data || 'error' in parts.data)
})
/** Read by hand: every delta comes this way. */
const isUpdate = (value: unknown): value is { params: unknown } =>
  typeof value === 'object' &&
  value !== null &&
  'method' in value &&
  value.method === methods.client.session.update &&
  !('id' in value) &&
  'params' in value
