import type { ReactNode } from 'react'
import type { GateRecord } from '../../shared/gate.ts'
import { settled } from '../../shared/run.ts'
import type { TurnView } from '../../shared/view.ts'
import type { OpenConversation, RunState, World } from '../state/model.ts'
import { endOf } from '../state/rounds.ts'
import { clock, shortPath } from '../state/time.ts'
import { useWorld } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { useNames } from './Agent.tsx'
import { Icon } from './icons.tsx'
import { LookBack } from './LookBack.tsx'

/** What a crash or a closing left of a run: what is kept, what is not, and what can be done. */
export const CrashCard = ({ run, actions }: { run: RunState; actions: ReactNode }) => {
  const names = useNames()
  const conversation = useWorld((world) => world.conversations[run.run.conversationId])
  const gates = useWorld((world) => world.gates)
  const recovered = useWorld((world) => world.app.recovered)
  const home = useWorld((world) => world.home)
  if (!conversation) return null
  const last = lastSign(run)
  const lost = run.turns.filter((turn) => turn.status === 'interrupted')
  const workdir = shortPath(conversation.conversation.workdir, home)
  return (
    <section className="crash" data-tone="interrupted" aria-label={text.ended.interrupted}>
      <header className="row">
        <Icon name="interrupted" />
        <h3 className="title grow">
          {endedBy(run)(clock(last), run.run.round)}
        </h3>
        <LookBack run={run.run} small />
      </header>
      <div className="crash-lists">
        <Facts
          title={text.crash.kept}
          icon="check"
          facts={keptOf(run, lost, conversation, gates, last, (turn) => names(turn.agent))}
        />
        <Facts title={text.crash.notKept} icon="close" facts={lostOf(lost, (turn) => names(turn.agent))} />
      </div>
      <p className="meta">
        {aftermath(run, recovered, workdir)}
        {settled(run.run.status) ? '' : ` ${text.crash.goesOn}`}
      </p>
      {actions}
    </section>
  )
}

const Facts = ({ title, icon, facts }: { title: string; icon: 'check' | 'close'; facts: readonly string[] }) => (
  <div>
    <h4 className="title">{title}</h4>
    <ul>
      {facts.map((fact) => (
        <li key={fact}>
          <Icon name={icon} small />
          {fact}
        </li>
      ))}
    </ul>
  </div>
)

type NameOf = (turn: TurnView) => string

function keptOf(
  run: RunState,
  lost: readonly TurnView[],
  { queue, draft }: OpenConversation,
  gates: readonly GateRecord[],
  last: number,
  name: NameOf,
) {
  const waiting = run.turns.filter((turn) =>
    gates.some(({ gateId, status }) => gateId === turn.gateId && status === 'waiting'),
  )
  return [
    text.crash.everything(clock(last)),
    ...lost
      .filter((turn) => turn.textLength > 0)
      .map((turn) => text.crash.text(name(turn), text.characters(turn.textLength))),
    ...waiting.map((turn) => text.crash.gate(name(turn))),
    ...(queue.length > 0 ? [text.crash.queue(queue.length)] : []),
    ...(draft === '' ? [] : [text.crash.draft]),
  ]
}

function lostOf(lost: readonly TurnView[], name: NameOf) {
  const doing = lost.flatMap((turn) =>
    turn.lastOutputAt === null ? [] : [text.crash.doing(name(turn), clock(turn.lastOutputAt))],
  )
  const begun = [...new Set(lost.filter(({ startedAt }) => startedAt !== null).map(name))]
  const sessions = begun.length === 0 ? [] : [text.crash.session(text.list(begun))]
  return [text.crash.output, ...doing, ...sessions]
}

function aftermath(run: RunState, recovered: World['app']['recovered'], workdir: string) {
  const processes = recovered ? `${text.crash.processes(recovered.processesEnded)} ` : ''
  return processes + (run.run.policy.allowWrite ? text.crash.write(workdir) : text.crash.readOnly(workdir))
}

/** The last moment of which anything is on record before the restart found the run. */
export const lastSign = (run: RunState) =>
  Math.max(
    run.run.startedAt,
    ...run.turns.map((turn) => endOf(turn) ?? turn.lastOutputAt ?? turn.startedAt ?? turn.calledAt),
  )

/** A closing, a disk that took no more, or else a crash. */
const endedBy = ({ run, turns }: RunState) => {
  const codes = [run.reason, ...turns.map(({ failure }) => failure)].map((failure) => failure?.code)
  if (run.stop?.kind === 'shutdown' || codes.includes('app.shutting-down')) return text.crash.closed
  return codes.includes('ledger.unwritable') ? text.crash.unwritten : text.crash.title
}
