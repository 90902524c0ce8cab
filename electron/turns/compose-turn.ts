import { createHash, createHmac } from 'node:crypto'
import type { OpenSession, TurnImage } from '../../adapters/ports.ts'
import type { AgentRun } from '../../machines/blanks.ts'
import { nameOfAgent } from '../../shared/agent.ts'
import type { Conversation } from '../../shared/conversation.ts'
import type { DeliveryRecord } from '../../shared/delivery.ts'
import { AppError } from '../../shared/errors.ts'
import { composePrompt, type PromptParts } from '../../shared/prompt.ts'
import type { RunRecord } from '../../shared/run.ts'
import type { Earlier } from '../../shared/run-file.ts'
import type { NativeSession, SessionScope } from '../stores/sessions.ts'
import type { Stores } from '../stores/stores.ts'
import { capsulesOf, earlierCapsules, earlierTurns } from './transcript.ts'

/** One try's prompt and the native session it goes to. */
export interface ComposedTurn {
  prompt: string
  /** Those of the task that this native session has not been shown. */
  images: readonly TurnImage[]
  /** The code word of this attempt's vote; `null` where none is asked for. */
  nonce: string | null
  /** Where the native session belongs. */
  scope: SessionScope
  session: Omit<OpenSession, 'program' | 'env'>
  delivery: DeliveryRecord
}

interface ComposeTurnPorts {
  stores: Stores
  /** A secret of this installation, so that nobody can guess a code word. */
  secret: string
  mayContinue: (run: AgentRun) => boolean
  /** Whether this native session can be gone on with now. */
  mayResume: (run: AgentRun, session: { at: number; version: string | null; id: string }) => boolean
  version: (run: AgentRun) => string | null
  /** How many images the agent takes with one turn. */
  imagesMax: (run: AgentRun) => number
  token: () => string
  now: () => number
}

/**
 * Words what one try sends, from the ledger alone. Throws `run.unknown`, `conversation.unknown`, and `image.damaged`
 * or `image.not-taken`, because no image is left out.
 */
export const composeTurn = (ports: ComposeTurnPorts, run: AgentRun): ComposedTurn => {
  const record = ports.stores.runs.get(run.runId)
  const conversation = ports.stores.conversations.get(run.conversationId)
  if (!record) throw new AppError('run.unknown', 'This run is not known here.')
  if (!conversation) throw new AppError('conversation.unknown', 'This conversation is not known here.')
  const scope = sessionScope(run, record, conversation)
  const known = run.fresh || !ports.mayContinue(run) ? null : ports.stores.sessions.get(scope)
  const resume = known && ports.mayResume(run, sessionOf(known)) ? known.nativeId : null
  const nonce = record.policy.consensus ? nonceOf(ports.secret, run.attemptId) : null
  const isShown = resume !== null && (run.continues !== null || known?.imagesOf === record.messageId)
  const images = isShown ? [] : imagesOf(ports, run, record)
  const earlier = {
    turns: resume === null ? earlierTurns(ports.stores, record, conversation) : [],
    capsules: earlierCapsules(ports.stores, record),
  }
  const turn = { run, record, kind: conversation.kind, resumed: resume !== null, nonce }
  const { text, sources } = wordTurn(ports.stores, turn, earlier)
  return {
    prompt: text,
    images,
    nonce,
    scope,
    session: {
      agent: run.agent,
      cwd: conversation.workdir,
      allowWrite: run.allowWrite,
      resume,
      scope: JSON.stringify(scope),
      token: ports.token(),
    },
    delivery: {
      deliveryId: `delivery/${run.attemptId}/${run.try}`,
      attemptId: run.attemptId,
      try: run.try,
      promptSha256: createHash('sha256').update(text).digest('hex'),
      promptBytes: Buffer.byteLength(text),
      images: images.length,
      sources,
      mode: run.allowWrite ? 'write' : 'readOnly',
      adapterVersion: ports.version(run),
      session: sessionWord(run, resume),
      sentAt: ports.now(),
    },
  }
}

const imagesOf = ({ stores, imagesMax }: ComposeTurnPorts, run: AgentRun, { messageId }: RunRecord) => {
  const images = stores.images.soundOf(messageId)
  if (images.length <= imagesMax(run)) return images
  const { name } = nameOfAgent(run.agent)
  throw new AppError('image.not-taken', `${name} cannot be given that many images. Choose another agent.`, {
    params: { agents: name, images: images.length, max: imagesMax(run) },
  })
}

const sessionOf = ({ at, adapterVersion, nativeId }: NativeSession) => ({ at, version: adapterVersion, id: nativeId })

/** Where the native session of a turn is kept: a chat's belongs to its agent, a group's to one task and seat. */
const sessionScope = (run: AgentRun, record: RunRecord, conversation: Conversation): SessionScope =>
  conversation.kind === 'direct'
    ? { kind: 'direct', conversationId: run.conversationId, agent: run.agent }
    : {
        kind: 'group',
        conversationId: run.conversationId,
        messageId: record.messageId,
        seat: run.seat,
        agent: run.agent,
      }

/** What decides how a try is worded, apart from what was said. `resumed`: its native session knows what came before. */
interface Turn {
  run: AgentRun
  record: RunRecord
  kind: Conversation['kind']
  resumed: boolean
  nonce: string | null
}

/** Words one try's prompt from what is stored of its run, and from what came before that run. */
export const wordTurn = (
  stores: Pick<Stores, 'attempts' | 'gates'>,
  turn: Turn,
  earlier: Earlier,
): { text: string; sources: string[] } => composePrompt(partsOf(stores, turn, earlier))

const partsOf = (stores: Pick<Stores, 'attempts' | 'gates'>, turn: Turn, earlier: Earlier): PromptParts => {
  const { run, record, resumed, nonce } = turn
  const decision = decisionOf(stores, run)
  const transcript = resumed ? [] : earlier.turns
  return {
    kind: kindOf(turn),
    topic: record.topic,
    you: { seat: run.seat, name: nameOfAgent(run.agent).name },
    peers: record.seats
      .filter(({ seat, standing }) => seat !== run.seat && standing !== 'skipped')
      .map(({ seat, agent }) => ({ seat, name: nameOfAgent(agent).name })),
    round: run.round,
    rounds: record.policy.rounds,
    blind: record.policy.blindFirst && run.round === 1,
    consensus: record.policy.consensus,
    allowWrite: run.allowWrite,
    nonce,
    capsules: [...earlier.capsules, ...capsulesOf(stores, run.runId)],
    ...(transcript.length > 0 ? { transcript } : {}),
    ...(decision ? { decision } : {}),
    ...(record.followUpOf ? { followUp: true } : {}),
  }
}

const kindOf = ({ run, kind, resumed }: Turn): PromptParts['kind'] => {
  if (resumed && run.continues) return 'resumption'
  if (kind === 'direct') return 'direct'
  return resumed ? 'continuation' : 'bootstrap'
}

const sessionWord = (run: AgentRun, resume: string | null): DeliveryRecord['session'] => {
  if (run.continues) return 'continued'
  if (resume !== null) return 'resumed'
  return run.fresh ? 'rebuilt' : 'new'
}

const decisionOf = (stores: Pick<Stores, 'gates'>, { continues }: AgentRun): PromptParts['decision'] | null => {
  if (!continues) return null
  const gate = stores.gates.get(continues.gateId)
  const { effect, note } = continues.decision
  return { title: [gate?.title, gate?.detail].filter(Boolean).join(': ') || 'what you had asked', effect, note }
}

const nonceOf = (secret: string, attemptId: string): string =>
  createHmac('sha256', secret).update(attemptId).digest('hex').slice(0, 12)
