import type { GateRecord } from '../../shared/gate.ts'
import { useNames } from '../components/Agent.tsx'
import { gateAskerName, gateHeading } from '../components/gate-words.ts'
import { GateSettled } from '../components/GateSettled.tsx'
import { Icon } from '../components/icons.tsx'
import { text } from '../text/text.ts'

/** A gate as it stood then. It has no answers to press: whatever was answered was answered. */
export const PastGate = ({ gate }: { gate: GateRecord }) => {
  const names = useNames()
  if (gate.status !== 'waiting') return <GateSettled gate={gate} />
  return (
    <div className="past-gate" data-tone="needs">
      <p className="row">
        <Icon name="needs" />
        <b>{gateHeading(gate, gateAskerName(gate, names))}</b>
      </p>
      {gate.detail === '' ? null : (
        <pre className="ask" data-code={gate.kind === 'permission' || undefined}>
          {gate.detail}
        </pre>
      )}
      <p className="meta">{text.past.waited}</p>
    </div>
  )
}
