import type { GateRecord } from '../../shared/gate.ts'
import { clock } from '../state/time.ts'
import { text } from '../text/text.ts'
import { decisionLabel } from './gate-words.ts'
import { Icon } from './icons.tsx'

/** A gate that waits no more, in one quiet line with its reason. */
export const GateSettled = ({ gate }: { gate: GateRecord }) => (
  <p className="gate-settled" data-gate={gate.gateId}>
    <Icon name={gate.decision ? (gate.decision.effect === 'grant' ? 'check' : 'close') : 'skipped'} small />
    <span className="cut">{settledSentence(gate)}</span>
    {gate.settledAt === null ? null : <time className="meta">{clock(gate.settledAt)}</time>}
  </p>
)

export function settledSentence(gate: GateRecord): string {
  const end = gate.endReason ? text.gateEnd[gate.endReason] : ''
  if (!gate.decision) return `${gate.status === 'withdrawn' ? text.gate.withdrawn : text.gate.expired}. ${end}`
  const answered = text.gate.answered(decisionLabel(gate.decision.name))
  const note = gate.decision.note ? ` ${text.gate.reason(gate.decision.note)}` : ''
  if (gate.status === 'expired' || gate.status === 'withdrawn') return `${answered}${note}. ${end}`
  return `${answered}${note}, ${gate.status === 'applied' ? text.gate.applied : text.gate.delivering}`
}
