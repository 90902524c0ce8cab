import * as z from 'zod'

/** What each code means for a retry. A sentence for the person lives in `renderer/text/`. */
export const errorCatalog = {
  'agent.not-found': { kind: 'compatibility', retryable: false },
  'agent.incompatible': { kind: 'compatibility', retryable: false },
  'agent.not-read-only': { kind: 'compatibility', retryable: false },
  'agent.unauthorized': { kind: 'authentication', retryable: false },
  'agent.forbidden': { kind: 'authentication', retryable: false },
  'agent.rate-limited': { kind: 'rateLimit', retryable: true },
  'agent.unreachable': { kind: 'network', retryable: true },
  'agent.provider-failed': { kind: 'provider', retryable: true },
  'agent.garbled': { kind: 'protocol', retryable: true },
  'agent.output-limit': { kind: 'protocol', retryable: false },
  'agent.session-lost': { kind: 'session', retryable: true },
  'agent.silent': { kind: 'timeout', retryable: false },
  'agent.first-byte-late': { kind: 'timeout', retryable: true },
  'agent.cap-reached': { kind: 'timeout', retryable: false },
  'agent.crashed': { kind: 'execution', retryable: false },
  'agent.spawn-failed': { kind: 'execution', retryable: false },
  'agent.refused': { kind: 'execution', retryable: false },
  'agent.denied': { kind: 'permission', retryable: false },
  'agent.cancelled': { kind: 'cancelled', retryable: false },
  'agent.not-spoken-with': { kind: 'compatibility', retryable: false },
  'agent.testing': { kind: 'execution', retryable: false },
  'agent.busy': { kind: 'execution', retryable: false },
  'agent.outcome-unknown': { kind: 'execution', retryable: false },
  'turn.images-unsupported': { kind: 'compatibility', retryable: false },
  'turn.image-unreadable': { kind: 'execution', retryable: false },
  'agent.not-held': { kind: 'compatibility', retryable: false },
  'custom.name-bad': { kind: 'execution', retryable: false },
  'custom.name-taken': { kind: 'execution', retryable: false },
  'custom.unknown': { kind: 'execution', retryable: false },
  'custom.too-many': { kind: 'execution', retryable: false },
  'custom.file-unusable': { kind: 'execution', retryable: false },
  'custom.arguments-bad': { kind: 'execution', retryable: false },
  'custom.argument-secret': { kind: 'execution', retryable: false },
  'custom.shell-script': { kind: 'execution', retryable: false },
  'custom.variable-bad': { kind: 'execution', retryable: false },
  'custom.speech-bad': { kind: 'execution', retryable: false },
  'custom.in-use': { kind: 'execution', retryable: false },
  'workdir.missing': { kind: 'execution', retryable: false },
  'workdir.not-made': { kind: 'execution', retryable: false },
  'workdir.unwritable': { kind: 'execution', retryable: false },
  'app.restarted': { kind: 'execution', retryable: false },
  'app.shutting-down': { kind: 'execution', retryable: false },
  'app.read-only': { kind: 'execution', retryable: false },
  'breaker.tripped': { kind: 'budget', retryable: false },
  'conversation.unknown': { kind: 'execution', retryable: false },
  'conversation.busy': { kind: 'execution', retryable: false },
  'conversation.members-locked': { kind: 'execution', retryable: false },
  'conversation.too-few-members': { kind: 'execution', retryable: false },
  'message.empty': { kind: 'execution', retryable: false },
  'message.target-outside': { kind: 'execution', retryable: false },
  'message.too-few-targets': { kind: 'execution', retryable: false },
  'message.too-long': { kind: 'execution', retryable: false },
  'message.unlimited-unconfirmed': { kind: 'execution', retryable: false },
  'queue.full': { kind: 'execution', retryable: false },
  'queue.unknown': { kind: 'execution', retryable: false },
  'image.empty': { kind: 'execution', retryable: false },
  'image.unsupported': { kind: 'execution', retryable: false },
  'image.broken': { kind: 'execution', retryable: false },
  'image.mismatch': { kind: 'execution', retryable: false },
  'image.too-large': { kind: 'execution', retryable: false },
  'image.too-wide': { kind: 'execution', retryable: false },
  'image.too-many': { kind: 'execution', retryable: false },
  'image.not-taken': { kind: 'execution', retryable: false },
  'image.unknown': { kind: 'execution', retryable: false },
  'image.in-use': { kind: 'execution', retryable: false },
  'image.damaged': { kind: 'execution', retryable: false },
  'image.unkept': { kind: 'execution', retryable: false },
  'run-file.not-one': { kind: 'execution', retryable: false },
  'run-file.damaged': { kind: 'execution', retryable: false },
  'run-file.newer': { kind: 'compatibility', retryable: false },
  'run-file.too-large': { kind: 'execution', retryable: false },
  'run-file.here-already': { kind: 'execution', retryable: false },
  'run-file.unsaved': { kind: 'execution', retryable: false },
  'conversation.imported': { kind: 'execution', retryable: false },
  'run.unknown': { kind: 'execution', retryable: false },
  'run.settled': { kind: 'execution', retryable: false },
  'run.not-settled': { kind: 'execution', retryable: false },
  'run.cannot': { kind: 'execution', retryable: false },
  'attempt.unknown': { kind: 'execution', retryable: false },
  'attempt.cannot': { kind: 'execution', retryable: false },
  'gate.unknown': { kind: 'execution', retryable: false },
  'gate.already-answered': { kind: 'execution', retryable: false },
  'gate.closed': { kind: 'execution', retryable: false },
  'gate.option-unknown': { kind: 'execution', retryable: false },
  'delivery.unknown': { kind: 'execution', retryable: false },
  'install.unknown-agent': { kind: 'execution', retryable: false },
  'install.unsupported-system': { kind: 'compatibility', retryable: false },
  'install.already-installed': { kind: 'execution', retryable: false },
  'install.npm-missing': { kind: 'compatibility', retryable: false },
  'install.node-too-old': { kind: 'compatibility', retryable: false },
  'install.busy': { kind: 'execution', retryable: false },
  'install.unknown-task': { kind: 'execution', retryable: false },
  'install.unreachable': { kind: 'network', retryable: false },
  'install.unverified': { kind: 'execution', retryable: false },
  'install.mismatch': { kind: 'execution', retryable: false },
  'install.unwritable': { kind: 'execution', retryable: false },
  'install.npm-failed': { kind: 'execution', retryable: false },
  'install.late': { kind: 'timeout', retryable: false },
  'install.unconfirmed': { kind: 'execution', retryable: false },
  'install.uncleared': { kind: 'execution', retryable: false },
  'provider.unknown': { kind: 'execution', retryable: false },
  'provider.wrong-kind': { kind: 'execution', retryable: false },
  'provider.no-name': { kind: 'execution', retryable: false },
  'provider.bad-url': { kind: 'execution', retryable: false },
  'provider.bad-model': { kind: 'execution', retryable: false },
  'provider.model-missing': { kind: 'execution', retryable: false },
  'provider.bad-key': { kind: 'execution', retryable: false },
  'provider.key-needed': { kind: 'execution', retryable: false },
  'provider.preset-mismatch': { kind: 'execution', retryable: false },
  'provider.too-many': { kind: 'execution', retryable: false },
  'provider.key-unkept': { kind: 'execution', retryable: false },
  'provider.key-unreadable': { kind: 'authentication', retryable: false },
  'ledger.unwritable': { kind: 'execution', retryable: false },
  'ledger.damaged': { kind: 'execution', retryable: false },
  'ledger.newer': { kind: 'execution', retryable: false },
  'ledger.locked': { kind: 'execution', retryable: false },
  'snapshot.unreadable': { kind: 'execution', retryable: false },
  'machine.not-provided': { kind: 'execution', retryable: false },
  'ipc.untrusted-sender': { kind: 'execution', retryable: false },
  'ipc.unknown-command': { kind: 'execution', retryable: false },
  'ipc.bad-input': { kind: 'execution', retryable: false },
  'ipc.too-large': { kind: 'execution', retryable: false },
  'shell.unavailable': { kind: 'execution', retryable: false },
  'link.refused': { kind: 'execution', retryable: false },
  'usage.bad': { kind: 'execution', retryable: false },
  'internal.unexpected': { kind: 'execution', retryable: false },
} as const satisfies Record<string, { kind: FailureKind; retryable: boolean }>

type FailureKind =
  | 'authentication' | 'compatibility' | 'session' | 'rateLimit' | 'network' | 'provider'
  | 'timeout' | 'cancelled' | 'permission' | 'budget' | 'protocol' | 'execution'

export type ErrorCode = keyof typeof errorCatalog

const codes = Object.keys(errorCatalog) as [ErrorCode, ...ErrorCode[]]

/** A failure as data: crosses JSON, the ledger and the door. `params` holds short words and numbers, never a path. */
export const Failure = z.object({
  code: z.enum(codes),
  message: z.string().max(2_000),
  params: z.record(z.string(), z.union([z.string().max(500), z.number(), z.boolean()])).optional(),
  /** The server's own wait, in milliseconds. */
  retryAfterMs: z.number().int().nonnegative().optional(),
})
export type Failure = z.infer<typeof Failure>

/** The one error class. The message says what happened and what to do next, without paths, prompts or keys. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly params: Failure['params']
  readonly retryAfterMs: number | undefined
  constructor(
    code: ErrorCode,
    message: string,
    more: { cause?: unknown; params?: Failure['params']; retryAfterMs?: number | undefined } = {},
  ) {
    super(message, more.cause === undefined ? {} : { cause: more.cause })
    this.name = 'AppError'
    this.code = code
    this.params = more.params
    this.retryAfterMs = more.retryAfterMs
  }
}

/** Turns anything thrown into a `Failure`; foreign messages become one neutral sentence. */
export const toFailure = (thrown: unknown): Failure => {
  if (!isAppError(thrown)) return { code: 'internal.unexpected', message: 'Something unexpected happened.' }
  return {
    code: thrown.code,
    message: thrown.message.slice(0, 2_000),
    ...(thrown.params ? { params: thrown.params } : {}),
    ...(thrown.retryAfterMs === undefined ? {} : { retryAfterMs: thrown.retryAfterMs }),
  }
}

/** What kind of failure a code is (product words), for policy and for words on the screen. */
export const kindOf = (code: ErrorCode): FailureKind => errorCatalog[code].kind

/** Whether trying the same thing again can help, by the catalog alone. */
export const mayRetry = (failure: Failure): boolean => errorCatalog[failure.code].retryable

const isAppError = (thrown: unknown): thrown is AppError =>
  thrown instanceof Error && thrown.name === 'AppError' && 'code' in thrown && codes.includes(thrown.code as ErrorCode)
