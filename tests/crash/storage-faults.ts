import { AppError } from '../../shared/errors.ts'
import { readPrompt } from '../../shared/read-prompt.ts'
import { settled } from '../../shared/run.ts'
import { FakeAdapter, type Script } from '../fakes/fake-adapter.ts'
import { TestOffice } from '../fakes/office.ts'
import { differenceOf } from './difference.ts'
import { FaultyDisk, type FaultKind } from './faulty-disk.ts'
import type { Told } from './journal.ts'
import { inPlace } from './kills.ts'
import { session } from './session.ts'
import { atRest, everythingIn, untrueIn, wrongIn } from './witness.ts'

interface FaultVerdict {
  /** What failed first; `null` when the session ended before that. */
  failedAt: string | null
  /** Whether Parley went read-only. */
  readOnly: boolean
  wrong: string[]
}

/** Counts the operations of the session on a sound disk. */
export const countOperations = (): Promise<number> =>
  inPlace(async ({ data }) => {
    const disk = new FaultyDisk('full', Infinity)
    const office = new SessionOffice(scripted, data, { around: disk.around })
    await office.start()
    await session(office, () => {})
    await office.quit()
    return disk.operations
  })

/**
 * Goes through the session on a disk that fails from one operation on: whether everything before is there, writing is
 * refused with the reason, and goes on by itself once the disk is mended; then whether a next start finds the same.
 */
export const failFrom = (kind: FaultKind, from: number): Promise<FaultVerdict> =>
  inPlace(async ({ data }) => {
    const disk = new FaultyDisk(kind, from)
    const told: Told[] = []
    const wrong: string[] = []
    const office = new SessionOffice(scripted, data, { around: disk.around })
    await office.start()
    office.leaveWhenReadOnly()
    const end = await session(office, (each) => told.push(each)).then(() => null, (error: unknown) => error)
    const readOnly = await office.readOnlyCode()
    if (readOnly === null) wrong.push(...refusedOnly(end))
    else wrong.push(...(await wrongWhileReadOnly(office, told, readOnly)))

    disk.mend()
    // what looks after the record may have met the disk after the session had ended
    await office.shown()
    if ((await office.readOnlyCode()) !== null) await office.untilWritable()
    else await atRest(office)
    wrong.push(...(await wrongIn(office, told)), ...(await wrongReasons(office)), ...(await cannotWork(office)))
    await atRest(office)
    const before = await everythingIn(office)
    await office.quit()

    const next = new TestOffice(scripted, data)
    await next.start()
    const difference = differenceOf(before, await everythingIn(next))
    if (difference) wrong.push(`the next start shows something else: ${difference}`)
    wrong.push(...(await wrongIn(next, told)))
    await next.quit()
    return { failedAt: disk.failedAt, readOnly: readOnly !== null, wrong: [...new Set(wrong)] }
  })

class SessionOffice extends TestOffice {
  #hasLeft = false

  /** Whoever waits for something when nothing can be written any more is told so, and does nothing later. */
  leaveWhenReadOnly() {
    this.composition.onPush((topic, body) => {
      if (topic === 'app.changed' && 'app' in body && body.app.readOnly) this.#hasLeft = true
    })
  }

  override async until<Found>(look: () => Promise<Found | null | undefined | false>): Promise<Found> {
    return super.until(async () => {
      if (this.#hasLeft) throw new AppError('app.read-only', 'It went read-only.')
      return look()
    })
  }

  async readOnlyCode(): Promise<string | null> {
    return (await this.handlers['app.snapshot']({})).app.readOnly?.code ?? null
  }

  async untilWritable(): Promise<void> {
    await super.until(async () => (await this.readOnlyCode()) === null)
    this.#hasLeft = false
  }
}

/** What a person was refused without anything being lost by it: an image that did not fit. */
const refusedOnly = (end: unknown): string[] => {
  if (end === null || (end instanceof AppError && end.code === 'image.unkept')) return []
  return [`the session ended with ${JSON.stringify(end)}, and Parley is not read-only`]
}

const wrongWhileReadOnly = async (office: TestOffice, told: readonly Told[], code: string): Promise<string[]> => {
  const wrong = code === 'ledger.unwritable' ? [] : [`read-only by ${code}`]
  const refusal = await office.chat().then(() => null, (error: unknown) => error)
  if (!(refusal instanceof AppError) || refusal.code !== 'app.read-only') wrong.push('a write was not refused')
  // a folder that could never be opened has nothing to show
  return told.length === 0 ? wrong : [...wrong, ...(await untrueIn(office, told))]
}

/** A run that the disk interrupted says so, and no run says that Parley crashed. */
const wrongReasons = async (office: TestOffice): Promise<string[]> => {
  const { rows } = await office.handlers['conversation.list']({ after: null, limit: 50, query: '' })
  const views = await Promise.all(
    rows.map(({ conversationId }) => office.handlers['conversation.open']({ conversationId, before: null })),
  )
  return views.flatMap(({ runs }) => runs).flatMap(({ run, turns }) => {
    const codes = [run, ...turns].map((each) => ('reason' in each ? each.reason : each.failure)?.code)
    return codes.includes('app.restarted') || (settled(run.status) && run.status === 'interrupted' && !codes[0])
      ? [`run ${run.topic} says ${codes.join(', ')}`]
      : []
  })
}

/** Whether a new task goes all the way. */
const cannotWork = async (office: TestOffice): Promise<string[]> => {
  try {
    const end = await office.runEnds(await office.send(await office.chat(), 'Once more. [[agree]]'))
    return end === 'completed' ? [] : [`a new run ended ${end}`]
  } catch (error) {
    return [`no new run: ${String(error)}`]
  }
}

const script: Script = async ({ prompt, request, round, say, vote, ask, hang }) => {
  say(`Thoughts of ${request.agent} in round ${round}. `)
  if (prompt.includes('[[hang]]')) await hang()
  const asks = prompt.includes('[[ask:bold@1]]') && request.agent === 'rehearsal:bold' && round === 1
  if (asks && !readPrompt(prompt).decision) await ask('run a command', 'npm test')
  say('And an end.')
  vote('agree', 'Tabs', true)
}

export const scripted = () => [new FakeAdapter(script)]
