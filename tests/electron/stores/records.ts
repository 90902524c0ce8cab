import type { OutputItem } from '../../../shared/agent-event.ts'
import type { AttemptRecord } from '../../../shared/attempt.ts'
import type { Conversation } from '../../../shared/conversation.ts'
import type { DeliveryRecord } from '../../../shared/delivery.ts'
import type { GateRecord } from '../../../shared/gate.ts'
import type { LedgerEvent } from '../../../shared/ledger.ts'
import type { RunRecord } from '../../../shared/run.ts'
import { noUsage } from '../../../shared/usage.ts'
import type { OutputRow } from '../../../shared/view.ts'

export const conversation = (conversationId: string, more: Partial<Conversation> = {}): Conversation => ({
  conversationId,
  kind: 'group',
  name: `Talk ${conversationId}`,
  members: ['rehearsal:bold', 'rehearsal:careful'],
  workdir: '/tmp',
  allowWrite: false,
  settings: { rounds: 6, blindFirst: false },
  createdAt: 1,
  updatedAt: 1,
  ...more,
})

export const run = (runId: string, conversationId: string, more: Partial<RunRecord> = {}): RunRecord => ({
  runId,
  conversationId,
  messageId: `message-${runId}`,
  topic: `What about ${runId}?`,
  status: 'running',
  policy: { rounds: 6, consensus: true, blindFirst: false, allowWrite: false, silenceMs: 1_000, capMs: 2_000 },
  seats: [{ seat: 'bold', agent: 'rehearsal:bold', standing: 'seated' }],
  round: 1,
  startedAt: 10,
  settledAt: null,
  reason: null,
  stop: null,
  followUpOf: null,
  ...more,
})

export const attempt = (attemptId: string, of: RunRecord, more: Partial<AttemptRecord> = {}): AttemptRecord => ({
  attemptId,
  runId: of.runId,
  conversationId: of.conversationId,
  round: 1,
  seat: 'bold',
  agent: 'rehearsal:bold',
  status: 'streaming',
  tries: 1,
  vote: null,
  noVote: null,
  failure: null,
  denials: 0,
  calledAt: 11,
  startedAt: 12,
  settledAt: null,
  lastOutputAt: null,
  capAt: null,
  silenceAt: null,
  dueAt: null,
  gateId: null,
  usage: noUsage,
  textLength: 0,
  aliveSince: null,
  ...more,
})

export const gate = (gateId: string, of: AttemptRecord, more: Partial<GateRecord> = {}): GateRecord => ({
  gateId,
  kind: 'permission',
  asker: {
    kind: 'attempt',
    id: of.attemptId,
    runId: of.runId,
    conversationId: of.conversationId,
    seat: of.seat,
    agent: of.agent,
  },
  toolKind: 'execute',
  title: 'run a command',
  detail: 'npm test',
  reason: null,
  options: [{ optionId: 'yes', effect: 'grant', name: 'allowOnce', takesNote: false, position: null }],
  askedAt: 20,
  expiresAt: null,
  status: 'waiting',
  decision: null,
  endReason: null,
  settledAt: null,
  ...more,
})

export const event = (rootId: string, seq: number, more: Partial<LedgerEvent> = {}): LedgerEvent => ({
  rootId,
  seq,
  at: 100 + seq,
  machine: 'run',
  actor: rootId,
  type: 'run.moved',
  cause: { seq },
  value: { conferring: 'speaking' },
  from: null,
  ...more,
})

export const delivery = (
  deliveryId: string,
  of: AttemptRecord,
  more: Partial<DeliveryRecord> = {},
): DeliveryRecord => ({
  deliveryId,
  attemptId: of.attemptId,
  try: 1,
  promptSha256: '0'.repeat(64),
  promptBytes: 0,
  images: 0,
  sources: ['bootstrap'],
  mode: 'readOnly',
  adapterVersion: '1',
  session: 'new',
  sentAt: 30,
  ...more,
})

/** Numbers pieces of output from `first` on. */
export const output = (attemptId: string, items: readonly OutputItem[], first = 1): OutputRow[] =>
  items.map((item, index) => ({ attemptId, seq: first + index, at: 200 + first + index, try: 1, item }))

export const text = (delta: string): OutputItem => ({ type: 'text', delta })

export const tool = (toolId: string, title = 'Read a file'): OutputItem => ({
  type: 'tool', tool: { toolId, kind: 'read', title, status: 'running', detail: null },
})
