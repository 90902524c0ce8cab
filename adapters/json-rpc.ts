import * as z from 'zod'
import { AppError } from '../shared/errors.ts'

/** An error that the other side answered with. */
export class RpcRefusal extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.name = 'RpcRefusal'
    this.code = code
  }
}

interface RpcHearer {
  notified(method: string, params: unknown): void
  /** The other side asks; `reply` or `refuse` must be called once, at any later time. */
  requested(id: string | number, method: string, params: unknown): void
}

/** One side of JSON-RPC over lines without the `jsonrpc` member. Its own ids and the other side's are two spaces. */
export class RpcPeer {
  readonly #write: (line: string) => boolean
  readonly #hear: RpcHearer
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>()
  #lastId = 0

  constructor(write: (line: string) => boolean, hear: RpcHearer) {
    this.#write = write
    this.#hear = hear
  }

  /** Rejects with `RpcRefusal`, or with what `close` was given. */
  request(method: string, params: unknown): Promise<unknown> {
    this.#lastId += 1
    const id = this.#lastId
    const waiting = Promise.withResolvers<unknown>()
    this.#waiting.set(id, waiting)
    if (!this.#write(JSON.stringify({ method, id, params }))) {
      this.#waiting.delete(id)
      waiting.reject(new AppError('agent.crashed', 'The agent has ended.'))
    }
    return waiting.promise
  }

  notify(method: string, params?: unknown) {
    this.#write(JSON.stringify({ method, ...(params === undefined ? {} : { params }) }))
  }

  reply(id: string | number, result: unknown) {
    this.#write(JSON.stringify({ id, result }))
  }

  refuse(id: string | number, code: number, message: string) {
    this.#write(JSON.stringify({ id, error: { code, message } }))
  }

  /** Takes one parsed line; `false` when it is no message of this protocol. */
  take(line: unknown): boolean {
    if (typeof line !== 'object' || line === null) return false
    if ('method' in line && typeof line.method === 'string') {
      const params = 'params' in line ? line.params : undefined
      if ('id' in line && isId(line.id)) this.#hear.requested(line.id, line.method, params)
      else this.#hear.notified(line.method, params)
      return true
    }
    const response = Response.safeParse(line)
    if (!response.success) return false
    this.#settle(response.data)
    return true
  }

  /** Everything still waited for fails with this. */
  close(reason: Error) {
    for (const waiting of this.#waiting.values()) waiting.reject(reason)
    this.#waiting.clear()
  }

  #settle({ id, result, error }: Response) {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (error) waiting?.reject(new RpcRefusal(error.code, error.message))
    else waiting?.resolve(result)
  }
}

const Response = z.object({
  id: z.number(),
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string() }).nullish(),
})
type Response = z.infer<typeof Response>

const isId = (id: unknown): id is string | number => typeof id === 'string' || typeof id === 'number'
