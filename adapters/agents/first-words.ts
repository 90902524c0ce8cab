import { plainLine } from '../terminal-codes.ts'

/** What had been heard of a process when it ended. */
export type HeardSoFar = 'protocol' | 'noise' | 'nothing'

/** Remembers whether an agent has spoken its protocol, and what it printed before, in case it never does. */
export class FirstWords {
  #hasSpoken = false
  #noise = ''

  noteMessage() {
    this.#hasSpoken = true
  }

  noteNoise(line: string) {
    if (!this.#hasSpoken && this.#noise.length < noiseMaxCharacters) this.#noise += `${plainLine(line)}\n`
  }

  get soFar(): HeardSoFar {
    if (this.#hasSpoken) return 'protocol'
    return this.#noise === '' ? 'nothing' : 'noise'
  }

  /** What was printed instead of the protocol; empty once that was spoken. */
  get noise(): string {
    return this.#hasSpoken ? '' : this.#noise.trim()
  }
}

const noiseMaxCharacters = 1_000
