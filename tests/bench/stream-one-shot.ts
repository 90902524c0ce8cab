import { decoderOf } from '../../adapters/agents/custom/read-output.ts'
import { OneShotSession } from '../../adapters/agents/one-shot/session.ts'
import type { ProcessEnd } from '../../adapters/ports.ts'
import { benchHidden, idleProcess, type Talker } from './talker.ts'

/** A program that gets its task on stdin and prints its answer in messages, one a line, until it ends. */
export const oneShotTalker: Talker = {
  name: 'a one-shot program',
  async open(hear) {
    const decoder = decoderOf({ format: 'lines', answerField: 'content.text', errorField: 'error' })
    const session = new OneShotSession({ decoder, hidden: benchHidden, warnings: [], launchMs: 60_000, version: '1' })
    const ended = Promise.withResolvers<ProcessEnd>()
    session.attach({ ...idleProcess(() => undefined), drained: ended.promise }, () => Promise.resolve())
    const turn = session.prompt({ prompt: 'Go.' }, hear)
    const line = (text: string) => {
      session.line(text)
      if (text.includes(lastWord)) ended.resolve({ code: 0, signal: null, stderr: '', killed: 0 })
    }
    return { lines: { line, omitted: (what) => session.omitted(what) }, turn }
  },
  message(index) {
    if (index % 50 === 7) return { type: 'step', name: `npm test -- --part ${index}` }
    if (index % 1_000 === 500) return said(' the key sk-bench-0123456789abcdef,')
    return said(` word${index}`)
  },
  last: () => said(lastWord),
}

const lastWord = ' That is all.'
const said = (text: string) => ({ type: 'answer', content: { type: 'text', text }, error: null })
