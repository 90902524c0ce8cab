import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import { AppError, type ErrorCode } from '../../shared/errors.ts'
import { lockWaitMs, unsyncedMaxMs } from '../../shared/limits.ts'
import { type Around, straight } from '../../shared/steps.ts'
import { bytesOf } from './files.ts'
import { LogSync } from './log-sync.ts'

export type Row = Record<string, SQLOutputValue>
export type Value = SQLInputValue

interface DatabaseOptions {
  readOnly: boolean
  around?: Around | undefined
  /** Called after a write that the disk refused; whoever wanted it has not heard yet. */
  refused?: ((error: AppError) => void) | undefined
}

/** Runs every statement of the stores on one SQLite connection and turns its errors into coded ones. */
export class Database {
  readonly readOnly: boolean
  readonly #connection: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  #inTransaction = false
  #waitsForDisk: boolean | null = null
  #lastDurable = Number.NEGATIVE_INFINITY
  readonly #logPath: string
  readonly #log: LogSync
  readonly #refused: (error: AppError) => void
  /** Stands around what the stores do beside their statements, as well. */
  readonly around: Around
  /** The newest statement that changes something, by which a transaction is told from others. */
  #lastWrite = ''
  /** How many transactions nobody has waited for, and up to which of them the disk is known to hold all. */
  #written = 0
  #synced = 0
  #sawDamage = false

  /** `location` is a path or a `file:` URL. Throws `ledger.damaged`, `ledger.locked`, `ledger.unwritable`. */
  constructor(location: string | URL, { readOnly, around = straight, refused = () => {} }: DatabaseOptions) {
    this.readOnly = readOnly
    this.around = around
    this.#refused = refused
    this.#logPath = `${location instanceof URL ? location.pathname : location}-wal`
    this.#log = new LogSync(this.#logPath, () => this.#written, around)
    this.#connection = coded(
      () => new DatabaseSync(location, { readOnly, enableForeignKeyConstraints: true, timeout: lockWaitMs }),
    )
  }

  get(sql: string, ...values: Value[]): Row | undefined {
    return this.#coded(() => this.#prepared(sql).get(...values))
  }

  all(sql: string, ...values: Value[]): Row[] {
    return this.#coded(() => this.#prepared(sql).all(...values))
  }

  /** Gives back how many rows changed. */
  run(sql: string, ...values: Value[]): number {
    return Number(this.#change(sql, values).changes)
  }

  /** Gives back the new row's number. */
  insert(sql: string, ...values: Value[]): number {
    return Number(this.#change(sql, values).lastInsertRowid)
  }

  /** Several statements without values, for settings and migrations. */
  script(sql: string) {
    this.#coded(() => this.#connection.exec(sql))
  }

  /** All of `work` is durable when this returns, nothing of it when this throws. A nested one joins the outer one. */
  transaction<Result>(work: () => Result): Result {
    if (this.#inTransaction) return work()
    this.#waitForDisk(true)
    const result = this.#atomically(work)
    this.#lastDurable = performance.now()
    this.#synced = this.#written
    return result
  }

  /**
   * As `transaction`, but the disk is not waited for: what is written outlives this process at once, and a power cut
   * once `synced` resolves, the next transaction has ended, or after `unsyncedMaxMs` of writing.
   */
  soon<Result>(work: () => Result): Result {
    if (this.#inTransaction) return work()
    if (performance.now() - this.#lastDurable > unsyncedMaxMs) return this.transaction(work)
    this.#waitForDisk(false)
    this.#written += 1
    return this.#atomically(work)
  }

  /**
   * Resolves once all that was written before is safe from a power cut; main goes on meanwhile.
   * Throws `ledger.unwritable`.
   */
  async synced(): Promise<void> {
    const upTo = this.#written
    if (this.#synced >= upTo) return
    await this.#log.sync().catch((error: unknown) => {
      throw this.#noted(error)
    })
    this.#synced = Math.max(this.#synced, upTo)
    this.#lastDurable = performance.now()
  }

  /**
   * Brings everything that was ever written into the file and waits for the disk, as after a time in which it refused.
   * Throws `ledger.unwritable`, or `ledger.locked` while another program reads on from the log.
   */
  settle() {
    this.#waitForDisk(true)
    if (!this.emptyLog()) throw new AppError(locked.code, locked.message)
    this.#synced = this.#written
    this.#lastDurable = performance.now()
  }

  /** How many rows this connection has changed so far. */
  get changes(): number {
    return Number(this.get('select total_changes() as changes')?.['changes'] ?? 0)
  }

  /**
   * Moves the whole log into the file and leaves it empty; `false` while somebody still reads from it. Waits for
   * nobody.
   */
  emptyLog(): boolean {
    this.script('pragma busy_timeout = 0')
    try {
      const empty = () => this.#prepared('pragma wal_checkpoint(truncate)').get()
      return this.#writing(() => this.around({ kind: 'commit', of: 'checkpoint' }, empty))?.['busy'] === 0
    } finally {
      this.script(`pragma busy_timeout = ${lockWaitMs}`)
    }
  }

  /** How much lies in the log, in bytes. */
  get logBytes(): number {
    return bytesOf(this.#logPath)
  }

  /** Whether a statement met something that SQLite could not read. */
  get sawDamage() {
    return this.#sawDamage
  }

  get isOpen() {
    return this.#connection.isOpen
  }

  close() {
    if (!this.isOpen) return
    this.#statements.clear()
    this.#connection.close()
    this.#log.close()
  }

  #waitForDisk(waits: boolean) {
    if (this.readOnly || this.#waitsForDisk === waits) return
    this.script(`pragma synchronous = ${waits ? 'full' : 'normal'}`)
    this.#waitsForDisk = waits
  }

  #change(sql: string, values: Value[]) {
    this.#refuseWhenReadOnly()
    if (!this.#inTransaction) this.#waitForDisk(true)
    this.#lastWrite = sql
    const kind = this.#inTransaction ? 'statement' : 'commit'
    return this.#writing(() => this.around({ kind, of: sql }, () => this.#prepared(sql).run(...values)))
  }

  #atomically<Result>(work: () => Result): Result {
    this.#refuseWhenReadOnly()
    this.#writing(() => this.#prepared('begin immediate').run())
    this.#inTransaction = true
    this.#lastWrite = ''
    try {
      const result = work()
      this.#writing(() => this.around({ kind: 'commit', of: this.#lastWrite }, () => this.#prepared('commit').run()))
      return result
    } catch (error) {
      if (this.#connection.isTransaction) this.#connection.exec('rollback')
      throw error
    } finally {
      this.#inTransaction = false
    }
  }

  #writing<Result>(work: () => Result): Result {
    try {
      return this.#coded(work)
    } catch (error) {
      throw this.#noted(error)
    }
  }

  #noted(error: unknown): unknown {
    if (error instanceof AppError && refusals.has(error.code)) this.#refused(error)
    return error
  }

  #coded<Result>(work: () => Result): Result {
    try {
      return coded(work)
    } catch (error) {
      if (error instanceof AppError && error.code === 'ledger.damaged') this.#sawDamage = true
      throw error
    }
  }

  #prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.#connection.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }

  #refuseWhenReadOnly() {
    if (this.readOnly) throw new AppError('app.read-only', 'Nothing can be changed while Parley is read-only.')
  }
}

const coded = <Result>(work: () => Result): Result => {
  try {
    return work()
  } catch (error) {
    throw toAppError(error)
  }
}

const toAppError = (error: unknown): AppError => {
  const result = resultCodeOf(error)
  const known = result === null ? undefined : meanings[result]
  if (!known) return new AppError('internal.unexpected', 'The stored data refused a statement.', { cause: error })
  return new AppError(known.code, known.message, { cause: error })
}

const resultCodeOf = (error: unknown): number | null => {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return null
  return error.errcode & primaryCodeMask
}

/** SQLite's extended result codes carry the primary one in their low byte. */
const primaryCodeMask = 0xff

const unwritable = {
  code: 'ledger.unwritable',
  message: 'The stored data cannot be written. Check the disk and the permissions of the data folder.',
} as const
const damaged = { code: 'ledger.damaged', message: 'The stored data is damaged and was left as it is.' } as const
const locked = { code: 'ledger.locked', message: 'Another Parley is using this data folder. Close it first.' } as const

/** What the disk says to a write. Another program lets go of the file again, anything else is a fault of our own. */
const refusals: ReadonlySet<string> = new Set([unwritable.code, damaged.code])

const meanings: Readonly<Record<number, { code: ErrorCode; message: string }>> = {
  3: unwritable, // PERM
  5: locked, // BUSY
  6: locked, // LOCKED
  8: unwritable, // READONLY
  10: unwritable, // IOERR
  11: damaged, // CORRUPT
  13: unwritable, // FULL
  14: unwritable, // CANTOPEN
  26: damaged, // NOTADB
}
