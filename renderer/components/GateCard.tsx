import { useRef, useState } from 'react'
import type { AgentId } from '../../shared/agent.ts'
import type { GateOption, GateRecord } from '../../shared/gate.ts'
import { gateNoteMaxCharacters } from '../../shared/limits.ts'
import { useNow } from '../state/clock.ts'
import { composes } from '../state/keys.ts'
import { length } from '../state/time.ts'
import { text } from '../text/text.ts'
import { Rehearsal, useAgent, useNames } from './Agent.tsx'
import { gateAskerName, gateHeading, optionConsequence, optionLabel } from './gate-words.ts'
import { GateSettled } from './GateSettled.tsx'
import { Icon } from './icons.tsx'
import { Refusal } from './Refusal.tsx'
import { useCommand } from './use-command.ts'

/** A question to the person, in its place: what is asked, by whom, what each answer does, and until when. */
export const GateCard = ({ gate, spacious = false }: { gate: GateRecord; spacious?: boolean }) => {
  const name = gateAskerName(gate, useNames())
  if (gate.status !== 'waiting') return <GateSettled gate={gate} />
  return (
    <section
      className={`gate${spacious ? ' spacious' : ''}`}
      data-gate={gate.gateId}
      tabIndex={-1}
      aria-label={gateHeading(gate, name)}
    >
      {spacious ? null : <GateHead gate={gate} name={name} />}
      <div className="gate-body">
        <GateQuestion gate={gate} />
        <GateAnswers gate={gate} name={name} spacious={spacious} />
      </div>
      <footer className="gate-foot">
        <Icon name="clock" small />
        {gate.asker.kind === 'run' ? text.gate.holdsRun : text.gate.holds(name)}
      </footer>
    </section>
  )
}

const GateHead = ({ gate, name }: { gate: GateRecord; name: string }) => (
  <header className="gate-head">
    <Icon name="needs" />
    <b>{gateHeading(gate, name)}</b>
    <AskerLabel gate={gate} />
    <span className="grow" />
    <Deadline gate={gate} />
  </header>
)

/** Whether who asks only rehearses. */
export const AskerLabel = ({ gate }: { gate: GateRecord }) =>
  gate.asker.agent ? <AgentLabel agent={gate.asker.agent} /> : null
const AgentLabel = ({ agent }: { agent: AgentId }) => <Rehearsal card={useAgent(agent)} />

/** The time that is left, bold in its last five minutes. */
export const Deadline = ({ gate }: { gate: GateRecord }) => {
  const now = useNow()
  if (gate.expiresAt === null) return <span className="meta">{text.gate.noDeadline}</span>
  const left = gate.expiresAt - now
  return (
    <time className="due" data-soon={left < soonMs || undefined}>
      {text.gate.expiresIn(length(left))}
    </time>
  )
}
const soonMs = 5 * 60_000

/** What exactly is asked, as main lets the window see it. */
const GateQuestion = ({ gate }: { gate: GateRecord }) => (
  <>
    {gate.detail === '' ? null : (
      <pre className="ask" data-code={gate.kind === 'permission' || undefined}>
        {gate.detail}
      </pre>
    )}
    {gate.reason === null ? null : <p className="gate-reason">{text.gate.reason(gate.reason)}</p>}
    {gate.kind === 'retry' ? <p className="gate-reason">{text.gate.retryText}</p> : null}
  </>
)

const GateAnswers = ({ gate, name, spacious }: { gate: GateRecord; name: string; spacious: boolean }) => {
  const { call, failure, busy } = useCommand()
  const [noting, setNoting] = useState<GateOption | null>(null)
  const group = useRef<HTMLDivElement>(null)
  const answer = async (option: GateOption, note: string | null) => {
    await call('gate.answer', { gateId: gate.gateId, optionId: option.optionId, note })
  }
  return (
    <>
      <div className="gate-options" role="group" aria-busy={busy} ref={group}>
        {gate.options.map((option, index) => (
          <button
            type="button"
            key={option.optionId}
            data-option={index + 1}
            className={`button${index === 0 && option.effect === 'grant' ? ' needs' : ''}`}
            aria-expanded={option.takesNote ? noting?.optionId === option.optionId : undefined}
            aria-disabled={busy || undefined}
            title={spacious ? undefined : optionConsequence(option, name)}
            onClick={() => (busy ? undefined : option.takesNote ? setNoting(option) : void answer(option, null))}
          >
            <kbd className="key">{index + 1}</kbd>
            <span className="option-name">{optionLabel(option)}</span>
            {option.position === null ? null : <q className="cut">{option.position}</q>}
            {spacious ? <span className="option-consequence">{optionConsequence(option, name)}</span> : null}
          </button>
        ))}
      </div>
      {noting ? (
        <NoteField
          busy={busy}
          close={() => {
            setNoting(null)
            group.current?.querySelector<HTMLElement>('[aria-expanded=true]')?.focus()
          }}
          send={(note) => void answer(noting, note)}
        />
      ) : null}
      {busy ? (
        <p className="meta" role="status">
          {text.gate.sending}
        </p>
      ) : null}
      <Refusal failure={failure} />
    </>
  )
}

const NoteField = ({ busy, close, send }: { busy: boolean; close: () => void; send: (note: string) => void }) => {
  const [note, setNote] = useState('')
  return (
    <div className="row gate-note">
      <textarea
        className="field grow"
        rows={1}
        autoFocus
        aria-label={text.gate.note}
        placeholder={text.gate.notePlaceholder}
        maxLength={gateNoteMaxCharacters}
        value={note}
        onChange={(event) => setNote(event.target.value)}
        onKeyDown={(event) => {
          event.stopPropagation()
          if (composes(event.nativeEvent)) return
          if (event.key === 'Escape') close()
          if (event.key !== 'Enter' || event.shiftKey) return
          event.preventDefault()
          if (note.trim() !== '' && !busy) send(note)
        }}
      />
      <button type="button" className="button solid" disabled={busy || note.trim() === ''} onClick={() => send(note)}>
        {text.gate.send}
      </button>
    </div>
  )
}
