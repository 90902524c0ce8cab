import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Backups } from '../../electron/stores/backups.ts'
import { Database } from '../../electron/stores/database.ts'
import { bytesOf } from '../../electron/stores/files.ts'
import { openStores } from '../../electron/stores/open.ts'
import type { OutputItem } from '../../shared/agent-event.ts'
import { runsKeptWholeMax } from '../../shared/limits.ts'
import { conversation, run } from '../electron/stores/records.ts'
import { FakeAdapter } from '../fakes/fake-adapter.ts'
import { TestOffice, threeAgents } from '../fakes/office.ts'
import type { Figure } from './figure.ts'
import { removeFolder, seededFolder } from './seed.ts'

const discussions = 12
const rounds = 4
const turns = threeAgents.length * rounds

/** What a discussion costs on the disk, whole and compacted, and what looking after the record costs main. */
export const measureStorage = async (): Promise<Figure[]> => [...await costsOfADiscussion(), ...await costsOfUpkeep()]

const costsOfADiscussion = async (): Promise<Figure[]> => {
  const office = new TestOffice([new FakeAdapter(({ hear, say, vote, round }) => {
    for (const item of workOfATurn) hear(item)
    for (const piece of answer.match(/.{1,40}/gs) ?? []) say(piece)
    vote(round === rounds ? 'agree' : 'continue', 'Warm the newest two hundred of each album')
  })])
  await office.start()
  const before = usedBytes(office.folder)
  const conversationId = await office.group({ settings: { rounds, blindFirst: true } })
  for (let number = 0; number < discussions; number += 1) {
    await office.runEnds(await office.send(conversationId, `When should thumbnails be made? (${number})`))
  }
  await office.quit()
  const whole = (usedBytes(office.folder) - before) / discussions
  const compacted = whole - compact(office.folder) / discussions
  rmSync(office.folder, { recursive: true, force: true })
  return [
    kilobytes(`a discussion on disk, ${turns} turns that use tools`, whole, 640),
    kilobytes('  for each turn', whole / turns, 56),
    kilobytes('  for each turn, once it is compacted', compacted / turns, 40),
  ]
}

const costsOfUpkeep = async (): Promise<Figure[]> => {
  const folder = seededFolder({ conversations: 100, runsPerConversation: 100, turnsPerRun: 3 })
  const stores = openStores(folder)
  try {
    const slices: number[] = []
    for (let goesOn = true; goesOn && slices.length < 2_000;) {
      const began = performance.now()
      goesOn = stores.details.compactSome()
      slices.push(performance.now() - began)
    }
    const backups = new Backups(folder)
    // what else runs on a computer only adds
    const made = [await timedBackup(backups), await timedBackup(backups), await timedBackup(backups)]
    return [
      milliseconds('compaction of 10,000 runs: 99 of 100 slices', percentile(slices, 0.99), 8),
      milliseconds('a verified backup of 10,000 runs, beside main', least(made, 'took'), 10_000),
      { what: '  of so much', value: bytesOf(join(folder, 'parley.db')) / 1_048_576, unit: 'MB', budget: null },
      milliseconds('  longest stall of main meanwhile', least(made, 'stall'), 16),
    ]
  } finally {
    stores.close()
    removeFolder(folder)
  }
}

/** How long one takes, and for how long main stands still at most while it is made. */
const timedBackup = async (backups: Backups) => {
  let stall = 0
  let last = performance.now()
  const watch = setInterval(() => {
    stall = Math.max(stall, performance.now() - last)
    last = performance.now()
  }, 1)
  const began = performance.now()
  const outcome = await backups.make(Date.now(), { replaces: false })
  clearInterval(watch)
  if (outcome !== 'made') throw new Error(`the backup was not made: ${outcome}`)
  return { took: performance.now() - began, stall }
}

const least = (made: readonly { took: number; stall: number }[], what: 'took' | 'stall') =>
  Math.min(...made.map((one) => one[what]))

const percentile = (values: readonly number[], part: number) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * part)] ?? Number.NaN

const milliseconds = (what: string, value: number, atMost: number): Figure =>
  ({ what, value, unit: 'ms', budget: { atMost } })

const kilobytes = (what: string, value: number, atMost: number): Figure =>
  ({ what, value: value / 1_024, unit: 'KB', budget: { atMost } })

/** Lets everything in a folder be old, compacts it, and gives back how many bytes that frees. */
const compact = (folder: string): number => {
  const stores = openStores(folder)
  stores.conversations.create(conversation('conversation-newer'))
  for (let number = 0; number < runsKeptWholeMax; number += 1) {
    const newer = run(`run-newer-${number}`, 'conversation-newer')
    const { messageId, conversationId, topic, startedAt } = newer
    stores.accept({ message: { messageId, conversationId, text: topic, at: startedAt }, run: newer })
  }
  const before = usedBytes(folder)
  for (let goesOn = true; goesOn;) goesOn = stores.details.compactSome()
  const after = usedBytes(folder)
  stores.close()
  return before - after
}

/** What is filled of the record, its log counted in. */
const usedBytes = (folder: string): number => {
  const database = new Database(join(folder, 'parley.db'), { readOnly: true })
  const numberOf = (pragma: string) => Number(database.get(`pragma ${pragma}`)?.[pragma])
  const bytes = (numberOf('page_count') - numberOf('freelist_count')) * numberOf('page_size')
  database.close()
  return bytes
}

const sentence = 'The grid shows two hundred photos of an album and never more, so warm those and decide later. '
const answer = sentence.repeat(15)

/** A turn that reads six files and runs three commands, thinks as it goes, and makes a plan. */
const workOfATurn: readonly OutputItem[] = Array.from({ length: 9 }, (_, index): OutputItem[] => {
  const kind = index < 6 ? 'read' as const : 'execute' as const
  const tool = { toolId: `tool-${index}`, kind, title: `${kind} number ${index} of what it needs`, detail: null }
  return [
    { type: 'reasoning', delta: sentence.repeat(4) },
    { type: 'tool', tool: { ...tool, status: 'running' } },
    { type: 'tool', tool: { ...tool, status: 'done', detail: sentence.repeat(8) } },
    { type: 'plan', entries: [{ title: `Look at part ${index}`, status: 'done' }] },
  ]
}).flat()
