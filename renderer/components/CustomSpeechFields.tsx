import { text } from '../text/text.ts'
import type { CustomDraft } from './custom-draft.ts'
import { Row, TextField } from './FormFields.tsx'

interface FieldsProps {
  draft: CustomDraft
  set: (part: Partial<CustomDraft>) => void
}

/** How a program is spoken with: by the protocol with its modes, or by what it prints. */
export const CustomSpeechFields = ({ draft, set }: FieldsProps) => {
  const words = text.custom
  const isAcp = draft.transport === 'acp'
  return (
    <>
      <Row label={words.speech}>
        <div className="segments" role="group" aria-label={words.speech}>
          <button type="button" aria-pressed={isAcp} onClick={() => set({ transport: 'acp' })}>
            {words.acp}
          </button>
          <button type="button" aria-pressed={!isAcp} onClick={() => set({ transport: 'one-shot' })}>
            {words.oneShot}
          </button>
        </div>
        <p className="meta">{isAcp ? words.acpText : words.oneShotText}</p>
      </Row>
      {isAcp ? <Modes draft={draft} set={set} /> : <Output draft={draft} set={set} />}
    </>
  )
}

const Modes = ({ draft, set }: FieldsProps) => {
  const words = text.custom
  return (
    <>
      <Row label={words.readOnlyMode}>
        <TextField
          label={words.readOnlyMode}
          hint={words.readOnlyModeHint}
          value={draft.readOnlyMode}
          change={(readOnlyMode) => set({ readOnlyMode })}
        />
        <p className="meta">{words.readOnlyModeText}</p>
      </Row>
      <Row label={words.writeMode}>
        <TextField
          label={words.writeMode}
          hint={words.writeModeHint}
          value={draft.writeMode}
          change={(writeMode) => set({ writeMode })}
        />
      </Row>
    </>
  )
}

const formats: readonly CustomDraft['format'][] = ['text', 'object', 'lines']

const Output = ({ draft, set }: FieldsProps) => {
  const words = text.custom
  return (
    <>
      <Row label={words.output}>
        <div className="segments" role="group" aria-label={words.output}>
          {formats.map((format) => (
            <button key={format} type="button" aria-pressed={draft.format === format} onClick={() => set({ format })}>
              {words.outputs[format]}
            </button>
          ))}
        </div>
      </Row>
      {draft.format === 'text' ? null : (
        <>
          <Row label={words.answerField}>
            <TextField
              label={words.answerField}
              hint={words.answerFieldHint}
              value={draft.answerField}
              change={(answerField) => set({ answerField })}
            />
          </Row>
          <Row label={words.errorField}>
            <TextField
              label={words.errorField}
              hint={words.errorFieldHint}
              value={draft.errorField}
              change={(errorField) => set({ errorField })}
            />
          </Row>
        </>
      )}
    </>
  )
}
