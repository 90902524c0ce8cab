/** Without terminal sequences, BOM and control characters; of what `\r` overwrote only the last remains. */
export const plainLine = (line: string): string => {
  const plain = stripTerminalCodes(line).trim()
  return plain.slice(plain.lastIndexOf('\r') + 1).trim()
}

/** Removes what could move a cursor or set a title; keeps line breaks and tabs. */
export const stripTerminalCodes = (text: string): string => strip(text, terminalCodes)

const strip = (text: string, codes: RegExp): string =>
  mayHoldCodes.test(text) ? text.replace(codes, '').replace(controlCharacters, '') : text

/** Strips a text that arrives in pieces. */
interface CodeStripper {
  push(delta: string): string
  /** What was held back, stripped; afterwards it begins anew. */
  end(): string
}

/** A sequence that a cut has torn is held until the rest of it comes, so that every cut gives the same text. */
export const codeStripper = (): CodeStripper => {
  let held = ''
  return {
    push(delta) {
      const text = held === '' ? delta : held + delta
      if (!mayHoldCodes.test(text)) {
        held = ''
        return text
      }
      const at = openCode.exec(text)?.index ?? text.length
      held = text.slice(at)
      return strip(text.slice(0, at), codesWithin)
    },
    end() {
      const rest = stripTerminalCodes(held)
      held = ''
      return rest
    },
  }
}

// each is bounded, so that a beginning without an end swallows no more than a line and is not waited for without end
const parameters = '[0-?]{0,64}[ -/]{0,8}'
const words = '[^\\u0007\\u001b\\n]{0,4096}'
const mayHoldCodes = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufeff]/
// CSI; OSC, DCS, PM and APC up to their end; then two-character escapes
const codesUpTo = (end: string) =>
  new RegExp(
    [
      `(?:\\u001b\\[|\\u009b)${parameters}[@-~]`,
      `\\u001b[\\]PX^_]${words}(?:\\u0007|\\u001b\\\\|${end}(?=\\n))`,
      `\\u001b[ -/]{0,8}[0-~]`,
    ].join('|'),
    'g',
  )
const terminalCodes = codesUpTo('$|')
/** For a text that goes on: its end is the end of no sequence. */
const codesWithin = codesUpTo('')
const openCode = new RegExp(
  `(?:\\u001b\\[${parameters}|\\u009b${parameters}|\\u001b[\\]PX^_]${words}\\u001b?|\\u001b[ -/]{0,8})$`,
)
const controlCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufeff]/g
