import { CustomAgentId } from './agent.ts'
import type { CustomAgentDefinition, CustomSpeech } from './custom-agent.ts'
import { AppError, type ErrorCode } from './errors.ts'
import {
  customArgMaxCharacters,
  customArgsMax,
  customFileMaxCharacters,
  customVariableMaxCharacters,
  customVariablesMax,
} from './limits.ts'
import { looksSecret } from './looks-secret.ts'

/** Refuses a definition for what can be seen of it without looking at the disk. Throws `custom.*`. */
export const checkCustomAgent = (definition: CustomAgentDefinition): void => {
  const { name, file, args, envNames, speech } = definition
  if (!CustomAgentId.safeParse(`custom:${name}`).success) throw refusal('custom.name-bad')
  if (!isAbsolutePath(file) || file.length > customFileMaxCharacters || control.test(file)) {
    throw refusal('custom.file-unusable')
  }
  if (args.length > customArgsMax || args.some((arg) => arg.length > customArgMaxCharacters || control.test(arg))) {
    throw refusal('custom.arguments-bad')
  }
  if (args.some(looksSecret)) throw refusal('custom.argument-secret')
  if (runsScript([file, ...args])) throw refusal('custom.shell-script')
  if (envNames.length > customVariablesMax || !envNames.every(mayBePassedOn)) throw refusal('custom.variable-bad')
  checkSpeech(speech)
}

/** A shell that takes its program from an argument, also where another program is asked to start it. */
export const runsScript = (words: readonly string[]): boolean => {
  const at = words.findIndex((word) => shells.test(nameOf(word)))
  const scriptSwitch = /^cmd$/i.test(nameOf(words[at] ?? '')) ? switchOfCmd : switchOfShells
  return at >= 0 && words.slice(at + 1).some((word) => scriptSwitch.test(word))
}

const checkSpeech = (speech: CustomSpeech): void => {
  if (speech.transport === 'acp') {
    const modes = [speech.modes.readOnly, speech.modes.write].filter((mode) => mode !== null)
    if (modes.some((mode) => !modeShape.test(mode) || looksSecret(mode))) throw refusal('custom.speech-bad')
    return
  }
  if (speech.output.format === 'text') return
  const { answerField, errorField } = speech.output
  const fields = [answerField, ...(errorField === null ? [] : [errorField])]
  if (fields.some((field) => !fieldShape.test(field))) throw refusal('custom.speech-bad')
}

/** Its name is one, and it is neither a mark of the agent around us nor a way to change how programs start. */
const mayBePassedOn = (name: string): boolean =>
  name.length <= customVariableMaxCharacters && variableShape.test(name) && !nested.test(name)

const isAbsolutePath = (path: string) => /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(path)

const nameOf = (word: string) => (word.split(/[/\\]/).at(-1) ?? '').replace(/\.exe$/i, '')

const refusal = (code: ErrorCode) => new AppError(code, sentences[code] ?? 'This cannot be made an agent.')

const sentences: Partial<Record<ErrorCode, string>> = {
  'custom.name-bad': 'A name has small letters, digits and single dashes between them.',
  'custom.file-unusable': 'Name a program by its full path.',
  'custom.arguments-bad': 'There are too many arguments, or one is too long or holds control characters.',
  'custom.argument-secret': 'An argument looks like a secret. Pass it on in a variable.',
  'custom.shell-script': 'A shell with a script among its arguments is no agent. Name the program itself.',
  'custom.variable-bad': 'One of the variables cannot be passed on.',
  'custom.speech-bad': 'A mode or a field has a name that cannot be one.',
}

const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/
const modeShape = /^[A-Za-z0-9][A-Za-z0-9._:/#-]*$/
const fieldShape = /^[A-Za-z_][A-Za-z0-9_-]*(?:\.[A-Za-z_][A-Za-z0-9_-]*)*$/
const variableShape = /^[A-Za-z_][A-Za-z0-9_]*$/
const shells = /^(?:sh|bash|zsh|dash|ash|ksh\d*|mksh|fish|t?csh|busybox|cmd|powershell|pwsh)$/i
const switchOfShells = /^(?:-[a-z]{0,3}c[a-z]{0,3}|--command(?:=.*)?|-command|-e(?:nc(?:odedcommand)?)?)$/i
const switchOfCmd = /^\/[ckr]/i
const nested = new RegExp(
  `^(?:${[
    'CLAUDECODE', 'CLAUDE_CODE_(?:ENTRYPOINT|SSE_PORT|SESSION.*)', 'CODEX_(?:SANDBOX|THREAD).*', 'GEMINI_CLI',
    'QWEN_CODE', 'OPENCODE', 'COPILOT_CLI', 'CURSOR_AGENT', 'AGENT', 'PARLEY_.*', 'ELECTRON_.*',
    'NODE_(?:OPTIONS|PATH|CHANNEL_.*)', 'LD_.*', 'DYLD_.*', 'BASH_ENV', 'ENV', 'IFS', 'PATH', 'HOME',
  ].join('|')})$`,
  'i',
)
