import { useEffect, useRef } from 'react'
import { customNameMaxCharacters } from '../../shared/limits.ts'
import { useWorld } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { CustomArguments } from './CustomArguments.tsx'
import { Row, TextField } from './FormFields.tsx'
import { Kept } from './Kept.tsx'
import { isWhole, wishOf, type CustomDraft } from './custom-draft.ts'
import { CustomSpeechFields } from './CustomSpeechFields.tsx'
import { Icon } from './icons.tsx'
import { Refusal } from './Refusal.tsx'
import { useCommand } from './use-command.ts'

interface FormProps {
  draft: CustomDraft
  change: (draft: CustomDraft) => void
  saved: () => void
  leave: () => void
}

/** Makes an agent of a program, or changes one: what main keeps of it is never shown, only replaced. */
export const CustomAgentForm = ({ draft, change, saved, leave }: FormProps) => {
  const { call, failure, busy } = useCommand()
  const words = text.custom
  const before = draft.changes
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector<HTMLElement>('input, button')?.focus(), [])
  const set = (part: Partial<CustomDraft>) => change({ ...draft, ...part })
  const save = async () => {
    if (busy || !isWhole(draft)) return
    if (await call('custom.save', wishOf(draft))) saved()
  }
  return (
    <form
      ref={form}
      className="custom-form"
      aria-label={before ? words.changeTitle(before.name) : words.addTitle}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Row label={words.name}>
        {before ? (
          <span className="custom-kept">{before.name}</span>
        ) : (
          <TextField
            label={words.name}
            hint={words.nameHint}
            value={draft.name}
            maxLength={customNameMaxCharacters}
            change={(name) => set({ name })}
          />
        )}
        <p className="meta">{words.nameText}</p>
      </Row>
      <Row label={words.program}>
        <ProgramField draft={draft} set={set} />
      </Row>
      <Row label={words.arguments}>
        <CustomArguments draft={draft} set={set} />
      </Row>
      <Row label={words.passOn}>
        {draft.variables === null && before ? (
          <Kept sentence={words.passOnKept(before.variableCount)} replace={() => set({ variables: '' })} />
        ) : (
          <TextField
            label={words.passOn}
            hint={words.passOnHint}
            value={draft.variables ?? ''}
            change={(variables) => set({ variables })}
          />
        )}
        <p className="meta">{words.passOnText}</p>
      </Row>
      <CustomSpeechFields draft={draft} set={set} />
      <Refusal failure={failure} />
      <div className="sheet-actions">
        <button type="button" className="button" onClick={leave}>
          {text.common.cancel}
        </button>
        <button type="submit" className="button solid" aria-disabled={busy || !isWhole(draft) || undefined}>
          {words.save}
        </button>
      </div>
    </form>
  )
}

/** A path that is typed in; where the window has a dialog of the system, it can be chosen in it too. */
const ProgramField = ({ draft, set }: { draft: CustomDraft; set: (part: Partial<CustomDraft>) => void }) => {
  const { call, failure } = useCommand()
  const hasDialog = useWorld((world) => world.app.shell === 'electron')
  const words = text.custom
  if (draft.file === null && draft.changes) {
    return <Kept sentence={words.programKept(draft.changes.program)} replace={() => set({ file: '' })} />
  }
  const pick = async () => {
    const picked = await call('custom.pick', {})
    if (picked?.path) set({ file: picked.path })
  }
  return (
    <>
      <div className="row">
        <TextField
          label={words.program}
          hint={words.programHint}
          value={draft.file ?? ''}
          change={(file) => set({ file })}
        />
        {hasDialog ? (
          <button type="button" className="button small" onClick={() => void pick()}>
            <Icon name="file" small />
            {words.pick}
          </button>
        ) : null}
      </div>
      <Refusal failure={failure} />
    </>
  )
}
