import type * as z from 'zod'
import { AppError } from '../../shared/errors.ts'
import { Earlier, ImportNote, type FileAttempt, type RunFile } from '../../shared/run-file.ts'
import { textIn } from './columns.ts'
import type { Database } from './database.ts'
import { sha256Of } from './image-files.ts'
import { importKey } from './import-key.ts'
import type { Stores } from './stores.ts'

const KeptImport = ImportNote.extend({ earlier: Earlier })
type KeptImport = z.infer<typeof KeptImport>

interface Place {
  conversationId: string
  messageId: string
  at: number
}

/** Puts the run of a file beside the others, and remembers where it comes from. */
export class Imports {
  readonly #database: Database
  readonly #stores: Pick<
    Stores, 'conversations' | 'messages' | 'runs' | 'attempts' | 'outputs' | 'deliveries' | 'gates' | 'ledger' | 'meta'
  >

  constructor(database: Database, stores: Stores) {
    this.#database = database
    this.#stores = stores
  }

  /** `null` for a conversation of our own. */
  get(conversationId: string): KeptImport | null {
    const row = this.#database.get('select value from meta where key = ?', importKey(conversationId))
    if (!row) return null
    try {
      return KeptImport.parse(JSON.parse(textIn(row, 'value')))
    } catch {
      return nothingKnown
    }
  }

  has(conversationId: string): boolean {
    return this.#database.get('select 1 from meta where key = ?', importKey(conversationId)) !== undefined
  }

  /**
   * Keeps everything of a file in a conversation of its own, in one transaction. Throws `run-file.here-already`, and
   * `run-file.damaged` where something in it belongs to another run.
   */
  add(file: RunFile, place: Place) {
    const { runId } = file.run
    if (this.#stores.runs.get(runId)) {
      throw new AppError('run-file.here-already', 'This run is here already. Remove it first to open the file again.')
    }
    this.#database.transaction(() => {
      this.#addConversation(file, place)
      for (const attempt of file.attempts) this.#addAttempt(runId, attempt, place)
      for (const { record, version, events } of file.gates) {
        if (this.#stores.gates.get(record.gateId)) throw foreign()
        const gate = { ...record, asker: { ...record.asker, conversationId: place.conversationId } }
        const rootId = record.gateId
        this.#stores.ledger.commit({ gates: [gate], ...history(rootId, 'gate', version, events) })
      }
      this.#stores.ledger.commit(history(runId, 'run', file.version, file.events))
    })
  }

  #addConversation({ conversation, run, ...file }: RunFile, { conversationId, messageId, at }: Place) {
    const { policy } = run
    this.#stores.conversations.create({
      ...conversation,
      conversationId,
      // nothing is ever started in it
      workdir: 'none',
      allowWrite: policy.allowWrite,
      settings: { rounds: policy.rounds, blindFirst: policy.blindFirst },
      createdAt: at,
      updatedAt: at,
    })
    this.#stores.messages.add({ messageId, conversationId, text: run.topic, at: run.startedAt })
    this.#stores.runs.put({ ...run, conversationId, messageId })
    const note: KeptImport = { ...file, importedAt: at }
    this.#stores.meta.set(importKey(conversationId), JSON.stringify(KeptImport.parse(note)))
  }

  #addAttempt(runId: string, { record, text, capsule, output, deliveries }: FileAttempt, { conversationId }: Place) {
    const { attemptId, vote, noVote } = record
    if (this.#stores.attempts.get(attemptId)) throw foreign()
    this.#stores.attempts.put({ ...record, runId, conversationId })
    // one by one: pieces that were kept apart came at different moments
    for (const row of output) this.#stores.outputs.append([{ ...row, attemptId }])
    const kept = capsule && JSON.stringify(capsule)
    this.#stores.attempts.keepReply({ attemptId, text, vote, noVote, capsule: kept })
    for (const { record: delivery, prompt } of deliveries) {
      if (sha256Of(Buffer.from(prompt)) !== delivery.promptSha256) throw foreign()
      this.#stores.deliveries.add({ record: { ...delivery, attemptId }, prompt })
    }
  }
}

const history = (
  rootId: string,
  machine: 'run' | 'gate',
  version: number,
  events: RunFile['events'],
) => ({
  events: events.map((event) => ({ ...event, rootId })),
  snapshots: [{ rootId, machine, version, snapshot: 'null', live: false }],
})

const foreign = () =>
  new AppError('run-file.damaged', 'This file is not whole, or was changed. Ask for it once more.')

/** It is known that it was imported, and nothing else of that can be read any more. */
const nothingKnown: KeptImport = {
  parley: '', exportedAt: 0, importedAt: 0, replaced: 0, images: 0, earlier: { turns: [], capsules: [] },
}
