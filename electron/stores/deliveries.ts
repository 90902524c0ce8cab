import { createHash } from 'node:crypto'
import { DeliveryRecord } from '../../shared/delivery.ts'
import { AppError } from '../../shared/errors.ts'
import { textIn } from './columns.ts'
import { type Damage, jsonIn, parsed, toJson } from './damage.ts'
import type { Database, Row } from './database.ts'
import { unknownAttempt } from './unknown.ts'

interface SentPrompt {
  prompt: string
  sha256: string
}

/** Remembers what exactly was sent in every try; the same text is kept once, under its hash. */
export class Deliveries {
  readonly #database: Database
  readonly #damage: Damage

  constructor(database: Database, damage: Damage) {
    this.#database = database
    this.#damage = damage
  }

  /** Adding it again changes nothing. Throws `attempt.unknown`, and when the hash is not the prompt's. */
  add({ record, prompt }: { record: DeliveryRecord; prompt: string }) {
    const stored = toJson(DeliveryRecord, record)
    if (sha256Of(prompt) !== record.promptSha256) {
      throw new AppError('internal.unexpected', 'The hash of a prompt does not match its text.')
    }
    this.#database.soon(() => {
      this.#database.run(
        'insert into prompts (sha256, text) values (?, ?) on conflict do nothing',
        record.promptSha256,
        prompt,
      )
      const added = this.#database.run(
        `insert into deliveries (delivery_id, attempt, sha256, record)
         select ?, position, ?, ? from attempts where attempt_id = ? on conflict (delivery_id) do nothing`,
        record.deliveryId,
        record.promptSha256,
        stored,
        record.attemptId,
      )
      if (added === 0 && !this.#knows(record.deliveryId)) throw unknownAttempt()
    })
  }

  /** In the order they were sent. */
  ofAttempt(attemptId: string): DeliveryRecord[] {
    const rows = this.#database.all(
      `select delivery_id, record from deliveries
       where attempt = (select position from attempts where attempt_id = ?) order by position`,
      attemptId,
    )
    return this.#damage.sound('deliveries', 'delivery_id', rows, readDelivery)
  }

  /** The text as it was sent; `null` for an unknown delivery. Throws `ledger.damaged` when it is not what was sent. */
  prompt(deliveryId: string): SentPrompt | null {
    const row = this.#database.get(
      'select d.delivery_id, p.sha256, p.text from deliveries d join prompts p using (sha256) where d.delivery_id = ?',
      deliveryId,
    )
    return this.#damage.one('deliveries', 'delivery_id', row, readPrompt)
  }

  #knows(deliveryId: string) {
    return this.#database.get('select 1 from deliveries where delivery_id = ?', deliveryId) !== undefined
  }
}

const readDelivery = (row: Row): DeliveryRecord => parsed(DeliveryRecord, jsonIn(row, 'record'))

const readPrompt = (row: Row): SentPrompt => {
  const sent = { prompt: textIn(row, 'text'), sha256: textIn(row, 'sha256') }
  if (sha256Of(sent.prompt) === sent.sha256) return sent
  throw new AppError('ledger.damaged', 'A stored prompt is not the one that was sent.')
}

const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex')
