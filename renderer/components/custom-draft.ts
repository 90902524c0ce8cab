import type { CustomAgentView, CustomAgentWish, CustomSpeech } from '../../shared/custom-agent.ts'

/** What is being written of an agent of the person's own. `null`: what is kept stays, and is not known here. */
export interface CustomDraft {
  changes: CustomAgentView | null
  name: string
  transport: CustomSpeech['transport']
  file: string | null
  args: readonly string[] | null
  /** As it is typed: names with blanks or commas between. */
  variables: string | null
  readOnlyMode: string
  writeMode: string
  format: 'text' | 'object' | 'lines'
  answerField: string
  errorField: string
}

export const newDraft: CustomDraft = {
  changes: null,
  name: '',
  transport: 'acp',
  file: '',
  args: [],
  variables: '',
  readOnlyMode: '',
  writeMode: '',
  format: 'text',
  answerField: '',
  errorField: '',
}

/** A draft that changes what is kept. */
export const draftOf = (agent: CustomAgentView): CustomDraft => ({
  ...newDraft,
  ...spokenOf(agent.speech),
  changes: agent,
  name: agent.name,
  transport: agent.speech.transport,
  file: null,
  args: null,
  variables: null,
})

/** What main is asked to keep. */
export const wishOf = (draft: CustomDraft): CustomAgentWish => ({
  agent: draft.changes?.agent ?? null,
  name: draft.name.trim(),
  file: draft.file === null ? null : draft.file.trim(),
  args: draft.args === null ? null : draft.args.filter((argument) => argument !== ''),
  envNames: draft.variables === null ? null : draft.variables.split(/[\s,]+/).filter((name) => name !== ''),
  speech: speechOf(draft),
})

/** Whether there is enough to ask for. */
export const isWhole = (draft: CustomDraft): boolean =>
  draft.name.trim() !== '' &&
  (draft.file === null || draft.file.trim() !== '') &&
  (draft.transport === 'acp' || draft.format === 'text' || draft.answerField.trim() !== '')

const speechOf = ({ transport, format, ...draft }: CustomDraft): CustomSpeech => {
  if (transport === 'acp') {
    return { transport, modes: { readOnly: wordOf(draft.readOnlyMode), write: wordOf(draft.writeMode) } }
  }
  if (format === 'text') return { transport, output: { format } }
  const answerField = draft.answerField.trim()
  return { transport, output: { format, answerField, errorField: wordOf(draft.errorField) } }
}

const spokenOf = (speech: CustomSpeech): Partial<CustomDraft> => {
  if (speech.transport === 'acp') {
    return { readOnlyMode: speech.modes.readOnly ?? '', writeMode: speech.modes.write ?? '' }
  }
  const { output } = speech
  if (output.format === 'text') return {}
  return { format: output.format, answerField: output.answerField, errorField: output.errorField ?? '' }
}

const wordOf = (typed: string): string | null => typed.trim() || null
