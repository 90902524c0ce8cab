import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { Composition } from '../../electron/shell.ts'
import type { Work } from '../../electron/work.ts'
import { AttemptEnd, attemptSettled } from '../../shared/attempt.ts'
import { conversationsPageMax, eventsPageMax, outputPageMax } from '../../shared/limits.ts'
import { settled } from '../../shared/run.ts'
import type { ConversationRow, ConversationView, RunView, TurnView } from '../../shared/view.ts'
import type { TestOffice } from '../fakes/office.ts'
import type { Told } from './journal.ts'

interface Seen {
  rows: ConversationRow[]
  conversations: ConversationView[]
  runs: RunView[]
}

/**
 * Resolves once every run has ended, or waits without a process for a person who has not answered yet. What a person
 * had approved before the kill goes on by itself: a run that has come to another question by then is stopped.
 */
export const atRest = async (office: TestOffice): Promise<void> => {
  const { runs, stores, recorder } = workOf(office)
  await office.until(async () => {
    const isAtRest = () =>
      stores.gates.unsettled().every(({ status }) => status === 'waiting')
      && runs.liveIds.every((runId) => runs.isResting(runId))
    if (!isAtRest()) return false
    await recorder.durable()
    return isAtRest()
  })
  const asking = stores.attempts.nonTerminal().filter(({ status }) => status === 'awaitingGate')
  for (const runId of new Set(asking.map((turn) => turn.runId))) {
    await office.handlers['run.stop']({ runId })
    await office.runEnds(runId)
  }
  // one that has ended is let go of once that is on the disk
  for (let left = ended(office); left.length > 0; left = ended(office)) await wait(5)
}

const ended = (office: TestOffice) => {
  const { runs, stores } = workOf(office)
  return runs.liveIds.filter((runId) => settled(stores.runs.get(runId)?.status ?? 'interrupted'))
}

const workOf = (office: TestOffice) => (office.composition as Composition & { work: Work }).work

/** Everything that can be read of an office, to be compared with what another start reads. */
export const everythingIn = async (office: TestOffice): Promise<string> => {
  const { rows, conversations, runs } = await seenIn(office)
  const events = await Promise.all(runs.map(({ run }) => eventsOf(office, run.runId)))
  const attempts = runs.flatMap(({ turns }) => turns.map(({ attemptId }) => attemptId))
  const opened = await Promise.all(attempts.map((attemptId) => office.handlers['attempt.open']({ attemptId })))
  const { gates } = await office.handlers['gate.list']({})
  return JSON.stringify({ rows, conversations, runs, events, opened, gates })
}

/** What an office that was started after a crash has wrong, one sentence each. `told` is all that was said before. */
export const wrongIn = async (office: TestOffice, told: readonly Told[]): Promise<string[]> => {
  const seen = await seenIn(office)
  return [
    ...ownerless(office),
    ...office.stores.integrity(),
    ...office.stores.damage().map(({ table }) => `a row of ${table} cannot be read`),
    ...(await finishedTwice(office, seen)),
    ...(await untrueIn(office, told, seen)),
  ]
}

/** What was told and is not so, while an office can be read. */
export const untrueIn = async (office: TestOffice, told: readonly Told[], known?: Seen): Promise<string[]> => {
  const seen = known ?? (await seenIn(office))
  return [...messagesWrong(seen, told), ...(await missing(office, seen, told))]
}

/** Who still carries the marker of a launch and works in this folder. */
export const aliveIn = (folder: string): string[] =>
  readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      return (
        readFileSync(`/proc/${pid}/environ`, 'utf8').includes('PARLEY_ATTEMPT=')
        && readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)
      )
    } catch {
      return false
    }
  })

/** Stops every run that has not ended: one that has no owner would not hear of it. */
export const unstoppable = async (office: TestOffice): Promise<string[]> => {
  const { runs } = await seenIn(office)
  const going = runs.filter(({ run }) => !settled(run.status))
  const ends = going.map(async ({ run: { runId } }) => {
    try {
      await office.handlers['run.stop']({ runId })
      await office.runEnds(runId)
      return []
    } catch (error) {
      return [`run ${runId} cannot be stopped: ${String(error)}`]
    }
  })
  return (await Promise.all(ends)).flat()
}

const seenIn = async (office: TestOffice): Promise<Seen> => {
  const rows: ConversationRow[] = []
  for (let after: string | null = null, more = true; more;) {
    const page: { rows: ConversationRow[]; more: string | null } = await office.handlers['conversation.list']({
      after, limit: conversationsPageMax, query: '',
    })
    rows.push(...page.rows)
    after = page.more
    more = after !== null
  }
  const conversations: ConversationView[] = []
  const runs: RunView[] = []
  for (const { conversationId } of rows) {
    for (let before: string | null = null, more = true; more;) {
      const view: ConversationView = await office.handlers['conversation.open']({ conversationId, before })
      if (before === null) conversations.push(view)
      runs.push(...view.runs)
      before = view.older
      more = before !== null
    }
  }
  return { rows, conversations, runs }
}

const eventsOf = async (office: TestOffice, runId: string) => {
  const all = []
  for (let after = 0, more = true; more;) {
    const page = await office.handlers['run.events']({ runId, after, limit: eventsPageMax })
    all.push(...page.events)
    after = page.events.at(-1)?.seq ?? 0
    more = page.more
  }
  return all
}

/** Whatever is stored as going on, in whichever conversation or in none, has a live root, and nothing else has. */
const ownerless = (office: TestOffice): string[] => {
  const { stores, runs, gates } = workOf(office)
  const isLive = (runId: string) => runs.isLive(runId)
  return [
    ...stores.runs.nonTerminal().filter(({ runId }) => !isLive(runId)).map(({ runId }) => `run ${runId}`),
    ...stores.attempts.nonTerminal().filter(({ runId }) => !isLive(runId)).map((turn) => `turn ${turn.attemptId}`),
    ...stores.gates.unsettled().filter(({ gateId }) => !gates.isLive(gateId)).map(({ gateId }) => `gate ${gateId}`),
    ...stores.ledger.liveSnapshots()
      .filter(({ rootId }) => !isLive(rootId) && !gates.isLive(rootId))
      .map(({ rootId }) => `snapshot ${rootId}`),
    ...runs.liveIds.filter((runId) => stores.runs.get(runId) === null).map((runId) => `the unknown run ${runId}`),
  ].map((what) => `nobody owns ${what}`)
}

const finishedTwice = async (office: TestOffice, { runs }: Seen): Promise<string[]> => {
  const wrong: string[] = []
  for (const { run, turns } of runs) {
    const ends = (await eventsOf(office, run.runId)).filter(
      ({ machine, value, from }) => machine === 'attempt' && isEnd(value) && !isEnd(from),
    )
    const twice = new Set(ends.filter((end, index) => ends.findIndex(({ actor }) => actor === end.actor) < index))
    for (const { actor } of twice) wrong.push(`turn ${actor} ended twice`)
    const completed = turns.filter(({ status }) => status === 'completed')
    const places = new Set(completed.map(({ seat, round }) => `${seat} ${round}`))
    if (places.size < completed.length) wrong.push(`in run ${run.runId} a seat completed one round twice`)
    for (const { attemptId } of completed) {
      if (!ends.some(({ actor }) => actor === attemptId)) wrong.push(`turn ${attemptId} is completed without its end`)
    }
  }
  return wrong
}

const isEnd = (value: unknown) => AttemptEnd.safeParse(value).success

/** Each message that was sent is there at most once, and once it was accepted exactly once. */
const messagesWrong = ({ conversations, runs }: Seen, told: readonly Told[]): string[] => {
  const deleted = deletedIn(told)
  return told.flatMap((each) => {
    if (each.told !== 'sending' || deleted.has(each.conversationId)) return []
    const { conversationId, text } = each
    const accepted = told.some((other) => (other.told === 'accepted' || other.told === 'queued') && other.text === text)
    const asRuns = runs.filter(({ run }) => run.conversationId === conversationId && run.topic === text).length
    const queued = conversations.flatMap(({ queue }) => queue).filter((waiting) => waiting.text === text).length
    const times = asRuns + queued
    return times > 1 || (accepted && times === 0) ? [`the message "${text}" is there ${times} times`] : []
  })
}

const deletedIn = (told: readonly Told[]) =>
  new Set(told.flatMap((each) => (each.told === 'deleted' ? [each.conversationId] : [])))

/** What was shown as saved and is not there, or not like that. */
const missing = async (office: TestOffice, seen: Seen, told: readonly Told[]): Promise<string[]> => {
  const deleted = deletedIn(told)
  const removed = new Set(told.flatMap((each) => (each.told === 'image removed' ? [each.imageId] : [])))
  const wrong: string[] = []
  for (const each of newestOf(told)) {
    if ('conversationId' in each && deleted.has(each.conversationId)) continue
    if (each.told === 'image' && removed.has(each.imageId)) continue
    if (!(await isThere(office, seen, each, told))) wrong.push(`told and not true: ${JSON.stringify(each)}`)
  }
  return wrong
}

const isThere = async (office: TestOffice, seen: Seen, each: Told, told: readonly Told[]): Promise<boolean> => {
  const view = 'conversationId' in each
    ? seen.conversations.find(({ conversation }) => conversation.conversationId === each.conversationId)
    : undefined
  switch (each.told) {
    case 'conversation': return namesOf(each.conversationId, told).includes(view?.conversation.name ?? '')
    case 'draft': return view?.draft === each.text
    case 'image': return isWhole(office, each.imageId)
    case 'answered': return office.stores.gates.get(each.gateId)?.decision?.optionId === each.optionId
    case 'gate': {
      const status = office.stores.gates.get(each.gateId)?.status
      return gateEnds.has(each.status) ? status === each.status : status !== undefined
    }
    case 'run': {
      const status = seen.runs.find(({ run }) => run.runId === each.runId)?.run.status
      return settled(each.status) ? status === each.status : status !== undefined
    }
    case 'turn': {
      const turn = seen.runs.flatMap(({ turns }) => turns).find(({ attemptId }) => attemptId === each.attemptId)
      if (!turn || !(await isSaid(office, turn, each.text ?? ''))) return false
      return attemptSettled(each.status) ? turn.status === each.status : true
    }
    default: return true
  }
}

/** A further try begins its answer anew; what an earlier one said stays in its own rows. */
const isSaid = async (office: TestOffice, { attemptId, text, tries }: TurnView, told: string): Promise<boolean> => {
  if (text.startsWith(told)) return true
  const { rows } = await office.handlers['attempt.output']({ attemptId, after: 0, limit: outputPageMax })
  return Array.from({ length: tries }, (_, index) =>
    rows.map((row) => (row.try === index + 1 && row.item.type === 'text' ? row.item.delta : '')).join(''),
  ).some((said) => said.trim().startsWith(told.trim()))
}

const gateEnds: ReadonlySet<string> = new Set(['applied', 'expired', 'withdrawn'])

/** The name that was told last, and one that was being given when it ended. */
const namesOf = (conversationId: string, told: readonly Told[]): string[] => {
  const own = told.filter((each) => 'conversationId' in each && each.conversationId === conversationId)
  const named = own.findLastIndex((each) => each.told === 'conversation')
  return own.slice(named).flatMap((each) => (each.told === 'conversation' || each.told === 'naming' ? [each.name] : []))
}

const isWhole = async (office: TestOffice, imageId: string): Promise<boolean> => {
  try {
    return (await office.handlers['image.read']({ imageId })).dataUrl.length > 0
  } catch {
    return false
  }
}

/** Of each thing what was said last; a text that was not said again is the one before. */
const newestOf = (told: readonly Told[]): Told[] => {
  const newest = new Map<string, Told>()
  for (const each of told) {
    const key = [each.told, ...Object.entries(each).flatMap(([name, value]) => (isKey(name) ? [value] : []))].join(' ')
    const before = newest.get(key)
    if (each.told === 'turn' && before?.told === 'turn') newest.set(key, { ...each, text: each.text ?? before.text })
    else newest.set(key, each)
  }
  return [...newest.values()]
}

const isKey = (name: string) => name.endsWith('Id')
