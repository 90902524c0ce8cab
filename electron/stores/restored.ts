import { RestoredNote } from '../../shared/restored.ts'
import { toJson } from './damage.ts'
import type { Meta } from './meta.ts'

/** Remembers that a backup was opened in the place of a damaged record, until the person has read it. */
export class Restored {
  readonly #meta: Meta

  constructor(meta: Meta) {
    this.#meta = meta
  }

  keep(note: RestoredNote) {
    this.#meta.set(key, toJson(RestoredNote, note))
  }

  /** `null` when there is nothing to say, or what there was cannot be read any more. */
  get(): RestoredNote | null {
    const stored = this.#meta.get(key)
    if (stored === null) return null
    try {
      return RestoredNote.parse(JSON.parse(stored))
    } catch {
      return null
    }
  }

  /** It has been read. */
  forget() {
    this.#meta.remove(key)
  }
}

const key = 'restored'
