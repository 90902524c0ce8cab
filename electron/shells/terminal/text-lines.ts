import { harmless } from './words.ts'

/** Gives streamed text back in whole lines. */
export class TextLines {
  #said = ''
  #printed = 0

  add(delta: string): string[] {
    this.#said += delta
    return this.#upTo(this.#said.lastIndexOf('\n') + 1)
  }

  /** Takes the authoritative text; what differs from what was printed is printed again, whole. */
  replace(text: string): string[] {
    const restated = text.startsWith(this.#said.slice(0, this.#printed)) ? [] : this.#restart()
    this.#said = text
    return [...restated, ...this.#upTo(text.lastIndexOf('\n') + 1)]
  }

  /** Gives what is left, though its line has not ended. */
  flush(): string[] {
    return this.#upTo(this.#said.length)
  }

  /** Gives what is left of the whole text. */
  end(text: string): string[] {
    return text.startsWith(this.#said.slice(0, this.#printed)) ? [...this.replace(text), ...this.flush()] : this.flush()
  }

  #restart(): string[] {
    this.#printed = 0
    return ['(it corrects itself:)']
  }

  #upTo(end: number): string[] {
    if (end <= this.#printed) return []
    const text = harmless(this.#said.slice(this.#printed, end))
    this.#printed = end
    return text.split('\n').filter((line) => line.trim() !== '')
  }
}
