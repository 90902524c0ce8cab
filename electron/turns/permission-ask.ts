import { createHash } from 'node:crypto'
import type { AgentRun } from '../../machines/blanks.ts'
import type { PermissionRequest } from '../../shared/agent-event.ts'
import type { GateAsk, GateOption } from '../../shared/gate.ts'
import {
  gateExpiryMs, gateReasonMaxCharacters, gateSummaryMaxCharacters, gateTitleMaxCharacters,
} from '../../shared/limits.ts'

/**
 * Turns what an agent asks into a gate. The id is a hash of who asks what in which try: asking twice is asking once.
 */
export const permissionAsk = (run: AgentRun, request: PermissionRequest, at: number): GateAsk => ({
  gateId: `gate/${hashOf([run.attemptId, run.try, request.requestId, request.kind, request.title, request.detail])}`,
  kind: 'permission',
  asker: {
    kind: 'attempt',
    id: run.attemptId,
    runId: run.runId,
    conversationId: run.conversationId,
    seat: run.seat,
    agent: run.agent,
  },
  toolKind: request.kind,
  title: request.title.slice(0, gateTitleMaxCharacters),
  detail: request.detail.slice(0, gateSummaryMaxCharacters),
  reason: request.reason?.slice(0, gateReasonMaxCharacters) ?? null,
  options: permissionOptions,
  askedAt: at,
  expiresAt: at + gateExpiryMs,
})

const permissionOptions: GateOption[] = [
  { optionId: 'allow', effect: 'grant', name: 'allowOnce', takesNote: false, position: null },
  { optionId: 'deny', effect: 'deny', name: 'deny', takesNote: false, position: null },
  { optionId: 'deny-with-note', effect: 'deny', name: 'denyWithNote', takesNote: true, position: null },
]

const hashOf = (parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
