import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AgentSession, ProviderAccess, TurnEnd } from '../../adapters/ports.ts'
import { nameOfAgent, type AgentId, type AgentKind, type ConnectionTest } from '../../shared/agent.ts'
import type { AgentEvent } from '../../shared/agent-event.ts'
import { AppError, toFailure, type Failure } from '../../shared/errors.ts'
import { connectionTestMs } from '../../shared/limits.ts'
import type { Agents } from './agents.ts'

interface Options {
  env: Readonly<Record<string, string | undefined>>
  /** The provider that the person chose for this kind of agent; throws where it cannot be worked with. */
  accessFor: (kind: AgentKind) => ProviderAccess | null
  now: () => number
  /** `connectionTestMs` unless said. */
  atMostMs?: number
}

/** Lets one agent at a time answer one short question, in a folder that nobody needs, and remembers which is asked. */
export class ConnectionTests {
  readonly #agents: Agents
  readonly #options: Options
  readonly #going = new Set<AgentId>()

  constructor(agents: Agents, options: Options) {
    this.#agents = agents
    this.#options = options
  }

  /**
   * What came of it goes into the agent's card too.
   * Throws `agent.testing` while this agent is tested, `agent.not-found` for one that is not known.
   */
  async test(agent: AgentId): Promise<ConnectionTest> {
    this.#agents.adapterOf(agent)
    if (this.#going.has(agent)) {
      throw new AppError('agent.testing', `${nameOfAgent(agent).name} is being tested already.`)
    }
    this.#going.add(agent)
    const before = performance.now()
    try {
      const failure = await this.#ask(agent)
      this.#agents.learn(agent, failure, this.#options.now(), 'test')
      return { ok: failure === null, tookMs: Math.round(performance.now() - before), failure }
    } finally {
      this.#going.delete(agent)
    }
  }

  async #ask(agent: AgentId): Promise<Failure | null> {
    const folder = await mkdtemp(join(tmpdir(), 'parley-test-'))
    const signal = AbortSignal.timeout(this.#options.atMostMs ?? connectionTestMs)
    try {
      const session = await this.#agents.open(
        {
          agent,
          cwd: folder,
          // what cannot be held to reading works in a folder that holds nothing, and every question is denied
          allowWrite: this.#agents.adapterOf(agent).abilities.readOnly === 'none',
          resume: null,
          scope: `test:${agent}`,
          token: randomUUID(),
          env: this.#options.env,
          provider: this.#options.accessFor(this.#agents.adapterOf(agent).kind),
        },
        signal,
      )
      return await answerOf(session, signal)
    } catch (error) {
      return signal.aborted ? late : toFailure(error)
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
    }
  }
}

/** One turn to its end, and its process with it: `null` when something was said. */
const answerOf = async (session: AgentSession, signal: AbortSignal): Promise<Failure | null> => {
  let said = ''
  const hear = (event: AgentEvent) => {
    if (event.type === 'text') said += event.delta
    if (event.type === 'textReplaced') said = event.text
    if (event.type === 'asked') {
      const { requestId } = event.request
      queueMicrotask(() => session.answer(requestId, { effect: 'deny', note: 'Only answer with the one word.' }))
    }
  }
  const cut = Promise.withResolvers<null>()
  const abort = () => cut.resolve(null)
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    const end = await Promise.race([session.prompt({ prompt: 'Reply with the one word ready.' }, hear), cut.promise])
    return end === null ? late : failureOfEnd(end, said)
  } finally {
    signal.removeEventListener('abort', abort)
    if (signal.aborted) session.kill()
    await session.close()
  }
}

const failureOfEnd = (end: TurnEnd, said: string): Failure | null => {
  switch (end.status) {
    case 'failed':
      return end.failure
    case 'refused':
      return { code: 'agent.refused', message: 'The agent refused to answer.' }
    case 'cancelled':
      return { code: 'agent.cancelled', message: 'The test was ended before the agent answered.' }
    case 'completed':
      return said.trim() === '' ? { code: 'agent.garbled', message: 'The agent ended its turn without a word.' } : null
  }
}

const late: Failure = { code: 'agent.first-byte-late', message: 'The agent did not answer in time.' }
