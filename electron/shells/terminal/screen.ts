import { createInterface, type Interface } from 'node:readline'
import type { Interrupts } from './interrupts.ts'
import { paint, type OutlineLine } from './paint.ts'

export interface Screen {
  say(line: string): void
  show(lines: readonly OutlineLine[]): void
  /** What was typed, or `null` when the question was taken back or the input has ended. */
  ask(question: string, signal: AbortSignal): Promise<string | null>
}

interface ScreenOptions {
  input: NodeJS.ReadableStream
  output: NodeJS.WritableStream
  colour: boolean
  interrupts: Interrupts
}

/** A terminal, line by line: nothing is drawn twice but the question that stands below the lines. */
export const openScreen = (options: ScreenOptions): Screen => new TerminalScreen(options)

class TerminalScreen implements Screen {
  readonly #options: ScreenOptions
  #asking: Interface | null = null

  constructor(options: ScreenOptions) {
    this.#options = options
    // whoever reads us may leave early, as `head` does
    options.output.on('error', () => {})
  }

  say(line: string) {
    const { output } = this.#options
    if (!this.#asking) {
      output.write(`${line}\n`)
      return
    }
    output.write(`\r\u001b[K${line}\n`)
    this.#asking.prompt(true)
  }

  show(lines: readonly OutlineLine[]) {
    for (const line of lines) this.say(paint(line, this.#options.colour))
  }

  ask(question: string, signal: AbortSignal): Promise<string | null> {
    if (signal.aborted) return Promise.resolve(null)
    const { input, output, interrupts } = this.#options
    const lines = createInterface({ input, output, prompt: question, historySize: 0 })
    this.#asking = lines
    const answer = Promise.withResolvers<string | null>()
    const takeBack = () => {
      output.write('\n')
      answer.resolve(null)
    }
    lines.once('line', answer.resolve).once('close', () => answer.resolve(null))
    // while it reads keys, a terminal hands Ctrl+C to us as a key and not as a signal
    lines.on('SIGINT', () => interrupts.interrupt('person'))
    signal.addEventListener('abort', takeBack, { once: true })
    lines.prompt()
    return answer.promise.finally(() => {
      signal.removeEventListener('abort', takeBack)
      this.#asking = null
      lines.close()
    })
  }
}
