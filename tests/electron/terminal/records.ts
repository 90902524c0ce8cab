import type { AgentId } from '../../../shared/agent.ts'
import { AttemptRecord } from '../../../shared/attempt.ts'
import type { GateRecord } from '../../../shared/gate.ts'
import type { Push } from '../../../shared/ipc.ts'
import type { LedgerEvent } from '../../../shared/ledger.ts'
import type { RunRecord } from '../../../shared/run.ts'
import { noUsage } from '../../../shared/usage.ts'

/** When the runs of these tests begin. */
export const start = 1_000_000

export const run = (more: Partial<RunRecord> = {}): RunRecord => ({
  runId: 'run/1', conversationId: 'conversation/1', messageId: 'message/1', topic: 'Tabs or spaces?', status: 'running',
  policy: { rounds: 4, consensus: true, blindFirst: false, allowWrite: false, silenceMs: 1, capMs: 1 },
  seats: [], round: 1, startedAt: start, settledAt: null, reason: null, stop: null, followUpOf: null, ...more,
})

type Turn = Push<'run.changed'>['turns'][number]

export const turn = (agent: AgentId, more: Partial<Turn> = {}): Turn => ({
  attemptId: `attempt/${agent}/1`, runId: 'run/1', conversationId: 'conversation/1', round: 1, seat: agent, agent,
  status: 'streaming', tries: 1, vote: null, noVote: null, failure: null, denials: 0, calledAt: start, startedAt: start,
  settledAt: null, lastOutputAt: null, capAt: null, silenceAt: null, dueAt: null, gateId: null, usage: noUsage,
  textLength: 0, aliveSince: start, text: null, outputSeq: 0, toolCount: 0, ...more,
})

export const recordOf = (shown: Turn): AttemptRecord => AttemptRecord.parse(shown)

export const event = (
  machine: LedgerEvent['machine'], actor: string, value: LedgerEvent['value'], type: string, afterMs = 0,
): LedgerEvent => ({
  rootId: 'run/1', seq: 1, at: start + afterMs, machine, actor, type, cause: {}, value, from: null,
})

export const changed = (
  events: LedgerEvent[], turns: Turn[] = [], more: Partial<RunRecord> = {},
): Push<'run.changed'> => ({
  run: run(more),
  turns,
  events,
  actors: events.map(({ machine, actor, value }) => ({ machine, actor, value, last: null })),
  seq: 1,
})

export const gate = (more: Partial<GateRecord> = {}): GateRecord => ({
  gateId: 'gate/1', kind: 'permission', toolKind: 'execute',
  asker: {
    kind: 'attempt', id: 'attempt/rehearsal:careful/1', runId: 'run/1', conversationId: 'conversation/1',
    seat: 'rehearsal:careful', agent: 'rehearsal:careful',
  },
  title: 'run a command', detail: 'make check', reason: 'to be sure',
  options: [
    { optionId: 'allow', effect: 'grant', name: 'allowOnce', takesNote: false, position: null },
    { optionId: 'deny-with-note', effect: 'deny', name: 'denyWithNote', takesNote: true, position: null },
    { optionId: 'deny', effect: 'deny', name: 'deny', takesNote: false, position: null },
  ],
  askedAt: start + 2_000, expiresAt: null, status: 'waiting', decision: null, endReason: null, settledAt: null, ...more,
})

export const agree = { choice: 'agree', position: 'Tabs it is', changed: true, why: 'habit' } as const
