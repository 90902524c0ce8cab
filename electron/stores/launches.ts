import * as z from 'zod'
import { type Damage, jsonIn, parsed, toJson } from './damage.ts'
import type { Database } from './database.ts'

const Launch = z.object({
  /** Marks every process of the launch in its environment. */
  token: z.string().min(1).max(200),
  pid: z.number().int().positive(),
  /** As the operating system tells it, so that a reused pid is not taken for ours. */
  startTime: z.string().max(60),
})
type Launch = z.infer<typeof Launch>

/** Remembers which processes are ours, so that the next start can end what a crash left behind. */
export class Launches {
  readonly #database: Database
  readonly #damage: Damage

  constructor(database: Database, damage: Damage) {
    this.#database = database
    this.#damage = damage
  }

  // no process of ours outlives a power cut, so the disk need not be waited for
  add(launch: Launch) {
    this.#database.soon(() =>
      this.#database.run(
        'insert into launches (token, record) values (?, ?) on conflict (token) do update set record = excluded.record',
        launch.token, toJson(Launch, launch),
      ))
  }

  remove(token: string) {
    this.#database.soon(() => this.#database.run('delete from launches where token = ?', token))
  }

  all(): Launch[] {
    const rows = this.#database.all('select token, record from launches')
    return this.#damage.sound('launches', 'token', rows, (row) => parsed(Launch, jsonIn(row, 'record')))
  }
}
