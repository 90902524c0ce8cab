import type { AgentAbilities, AgentCard, AgentId, AgentKind, Transport } from '../shared/agent.ts'
import type { AgentEvent } from '../shared/agent-event.ts'
import type { Failure } from '../shared/errors.ts'

/** What an adapter found out about its program on this computer. The path stays in main. */
export interface Detection {
  card: Pick<AgentCard, 'readiness' | 'version' | 'evidence' | 'stages' | 'failure' | 'remedy' | 'checkedAt'>
  /** How to start it; `null` when it cannot be started. */
  program: Program | null
  /** The command that logs in, whether or not that seems to be needed. */
  login?: string
  /** When its login was last written: newer than a refusal, it ends what the refusal said. */
  loginAt?: number | null
}

export interface Program {
  file: string
  /** Arguments that come before the adapter's own, as for `node script.js`. */
  before: readonly string[]
  version: string
  /** What it needs besides our own environment: the PATH it was found to run with, keys of the login shell. */
  env?: Readonly<Record<string, string>>
}

/** A provider that a person chose for one agent. The key is `null` where the provider asks for none. */
export interface ProviderAccess {
  baseUrl: string
  model: string | null
  key: string | null
}

export interface OpenSession {
  program: Program
  agent: AgentId
  cwd: string
  allowWrite: boolean
  /** The native session to go on with, or `null` for a new one. */
  resume: string | null
  /** Which turns belong to one native session: those of a chat with this agent, or of its seat in one task. */
  scope: string
  /** Marks every process of this launch in its environment, so that survivors can be found. */
  token: string
  /** Main's own environment: the adapter takes from it only what its allow-list names. */
  env: Readonly<Record<string, string | undefined>>
  /** Where it gets its model from, if the person has chosen that: `withProvider` says how each program takes it. */
  provider?: ProviderAccess | null
}

/** A private copy of an image, whose type was decided by its content. */
export interface TurnImage {
  file: string
  mime: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'
}

export interface Turn {
  prompt: string
  /** Never more than the agent's `abilities.imagesMax`. */
  images?: readonly TurnImage[]
}

/** How a turn ended, as the agent's protocol says. A failure is data, never thrown. */
export type TurnEnd =
  | { status: 'completed' }
  | { status: 'refused' }
  | { status: 'cancelled' }
  | { status: 'failed'; failure: Failure }

export interface Answer {
  effect: 'grant' | 'deny'
  note: string | null
}

/** The end of a process tree: nothing of it is alive any more. */
export interface ProcessEnd {
  code: number | null
  signal: string | null
  /** The tail of stderr, stripped and redacted. */
  stderr: string
  /** How many processes had to be killed by us. */
  killed: number
}

/**
 * A live conversation with one agent process. One turn at a time. Events arrive in order, before `prompt` resolves.
 * A process that is kept between turns is lent for one: closed after a turn that was completed, it goes back, this
 * session is gone with code 0, and nothing that is called on it then has an effect.
 */
export interface AgentSession {
  readonly pid: number
  readonly startedAt: number
  readonly version: string
  /** The native session id that the agent confirmed, and whether it is the one asked for. */
  readonly native: { id: string; resumed: boolean }
  prompt(turn: Turn, hear: (event: AgentEvent) => void): Promise<TurnEnd>
  /** Answers one open permission request; unknown or settled ids are ignored. */
  answer(requestId: string, answer: Answer): void
  /** Asks by protocol to end the running turn; resolves when the agent says so or after `protocolCancelMs`. */
  cancel(): Promise<void>
  /** Ends it by the whole recipe: cancel, close stdin, SIGTERM to the group, SIGKILL to every remembered process. */
  close(): Promise<ProcessEnd>
  /** SIGKILL to everything now. */
  kill(): void
  /** Resolves once the whole tree is gone, however it came to its end. */
  readonly gone: Promise<ProcessEnd>
}

/** One program, and how it is spoken with. */
export interface AgentAdapter {
  readonly kind: AgentKind
  /** Those who are this program: one, or the three personas of the rehearsal. */
  readonly agents: readonly AgentId[]
  readonly transport: Transport
  readonly abilities: AgentAbilities
  /** Whether a session can be resumed by a later process with what was decided meanwhile. */
  readonly mayContinue: boolean
  /**
   * Whether this native session can be gone on with now; `at` is when it was last used, and `id` its native id. Where
   * not, a new one begins with our own transcript. Yes unless said.
   */
  mayResume?(session: { at: number; version: string | null; id?: string }, now: number): boolean
  /**
   * Never throws: what is wrong is in the card. With a provider profile it needs no login of its own, and nobody waits
   * for the probes that would tell of one.
   */
  detect(signal: AbortSignal, hasProvider?: boolean): Promise<Detection>
  /**
   * Starts a process and opens or resumes a session in it.
   * Throws `AppError`: `agent.spawn-failed`, `agent.session-lost` (an unknown or other id came back),
   * `agent.unauthorized`, `agent.garbled`, `agent.incompatible`, `agent.not-read-only`, `workdir.missing`. Nothing of
   * it is alive after a throw.
   */
  open(request: OpenSession, signal: AbortSignal): Promise<AgentSession>
}
