import type { ReactNode } from 'react'
import type { ReplayFinding, ReplayResult, ReplayStep } from '../../shared/replay.ts'
import type { StateValue } from '../../shared/ledger.ts'
import { eventWord, stateWord } from '../charts/chart-words.ts'
import type { RunState } from '../state/model.ts'
import { runLook } from '../state/status.ts'
import { text } from '../text/text.ts'
import { useNames } from './Agent.tsx'
import { leafOf } from './cause.ts'
import { Icon, type IconName } from './icons.tsx'

/** What came of a replay: equal, or the first difference with both of its sides, or why it could not go on. */
export const ReplayFound = ({ run, result }: { run: RunState; result: ReplayResult }) => {
  const { events, prompts, finding } = result
  const words = text.record
  if (!finding) {
    return (
      <Verdict tone="done" icon="check">
        {words.equal(events, prompts)}
      </Verdict>
    )
  }
  return (
    <>
      <Verdict
        tone={finding.what === 'obstacle' ? 'needs' : 'failed'}
        icon={finding.what === 'obstacle' ? 'warning' : 'failed'}
      >
        <Sentence run={run} finding={finding} />
      </Verdict>
      <p className="meta">{words.soFar(events, prompts)}</p>
      <Sides run={run} finding={finding} />
    </>
  )
}

const Verdict = ({ tone, icon, children }: { tone: string; icon: IconName; children: ReactNode }) => (
  <p className="replay-verdict" data-tone={tone}>
    <Icon name={icon} small />
    <span>{children}</span>
  </p>
)

const Sentence = ({ run, finding }: { run: RunState; finding: ReplayFinding }) => {
  const where = useWhere(run)
  const words = text.record
  switch (finding.what) {
    case 'state':
      return words.differs(finding.seq, finding.rootId === run.run.runId ? words.run : words.gate)
    case 'prompt':
      return words.promptDiffers(where(attemptOf(finding.deliveryId)), finding.line)
    case 'end':
      return words.endDiffers
    case 'obstacle':
      return words.cannot(finding.seq, finding.because)
  }
}

/** Both sides of a difference, beside each other. */
const Sides = ({ run, finding }: { run: RunState; finding: ReplayFinding }) => {
  if (finding.what === 'obstacle') return null
  const { expected, actual } = sidesOf(run, finding)
  return (
    <dl className="replay-sides">
      <div>
        <dt>{text.record.recorded}</dt>
        <dd>{expected}</dd>
      </div>
      <div>
        <dt>{text.record.replayed}</dt>
        <dd>{actual}</dd>
      </div>
    </dl>
  )
}

interface TwoSides {
  expected: ReactNode
  actual: ReactNode
}

function sidesOf(run: RunState, finding: Exclude<ReplayFinding, { what: 'obstacle' }>): TwoSides {
  switch (finding.what) {
    case 'state':
      return {
        expected: <Step run={run} step={finding.expected} />,
        actual: <Step run={run} step={finding.actual} />,
      }
    case 'prompt':
      return { expected: <Line words={finding.expected} />, actual: <Line words={finding.actual} /> }
    case 'end':
      return { expected: runLook(finding.expected).word, actual: runLook(finding.actual).word }
  }
}

const Line = ({ words }: { words: string | null }) => {
  if (words === null || words === '') {
    return <span className="dim">{words === null ? text.record.nothing : text.record.emptyLine}</span>
  }
  return <pre>{words}</pre>
}

const Step = ({ run, step }: { run: RunState; step: ReplayStep | null }) => {
  const where = useWhere(run)
  const words = text.record
  if (!step) return <span className="dim">{words.nothing}</span>
  return (
    <ul>
      <li>
        <b>{where(step.actor)}</b>
      </li>
      <li>{eventWord(step.type)}</li>
      {step.from === null ? null : <li className="dim">{words.from(nameOf(step.from))}</li>}
      {step.via.length === 0 ? null : <li className="dim">{words.via(step.via.map(nameOf).join(', '))}</li>}
      <li>{words.to(nameOf(step.value))}</li>
    </ul>
  )
}

const nameOf = (value: StateValue): string => stateWord(leafOf(value))

const attemptOf = (deliveryId: string) => deliveryId.slice('delivery/'.length, deliveryId.lastIndexOf('/'))

/** Which machine an id names, in words. */
function useWhere({ run, turns }: RunState): (actor: string) => string {
  const names = useNames()
  return (actor) => {
    const turn = turns.find(({ attemptId }) => attemptId === actor)
    if (turn) return text.record.someone(names(turn.agent), turn.round)
    if (actor === run.runId) return text.record.run
    const inRun = actor.startsWith(`${run.runId}/`)
    return inRun ? text.record.round(actor.slice(run.runId.length + 1)) : text.record.gate
  }
}
