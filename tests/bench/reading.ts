import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { openStores } from '../../electron/stores/open.ts'
import type { Stores } from '../../electron/stores/stores.ts'
import { conversationsPageMax } from '../../shared/limits.ts'
import { attempt, output, run, text } from '../electron/stores/records.ts'
import { medianOf, type Figure } from './figure.ts'
import { removeFolder, seededFolder } from './seed.ts'
import { longestStall } from './stall.ts'

const years = { conversations: 500, runsPerConversation: 20, turnsPerRun: 9 }
const oneLong = { conversations: 1, runsPerConversation: 500, turnsPerRun: 9 }

/** What a start and a click read, with years of history stored. */
export const measureReading = async (): Promise<Figure[]> => [...await measureYears(), ...measureOneLong()]

const measureYears = async (): Promise<Figure[]> => {
  const folder = seededFolder(years)
  try {
    const start = medianOf(7, () => paintList(folder).close())
    const afterCrash = medianOf(3, () => {
      rmSync(join(folder, 'parley.clean'))
      paintList(folder).close()
    })
    const stores = openStores(folder)
    const search = await longestStall(() =>
      stores.list.find({ after: null, limit: conversationsPageMax, query: 'nowhere to be found' }),
    )
    const append = measureAppend(stores)
    const deleting = medianOf(9, (repeat) => stores.conversations.delete(`conversation-seed-${repeat + 10}`))
    stores.close()
    return [
      {
        what: 'start to paintable list, 500 conversations × 200 messages',
        value: start,
        unit: 'ms',
        budget: { atMost: 150 },
      },
      {
        what: '  the same after a crash, when the file is read through',
        value: afterCrash,
        unit: 'ms',
        budget: null,
      },
      { what: 'append one message at 100,000', value: append, unit: 'ms', budget: { atMost: 3 } },
      { what: 'search all 100,000 messages in vain', value: search.total, unit: 'ms', budget: null },
      { what: '  longest stall of main meanwhile', value: search.stall, unit: 'ms', budget: { atMost: 16 } },
      { what: 'delete a conversation of 200 messages, erased', value: deleting, unit: 'ms', budget: null },
    ]
  } finally {
    removeFolder(folder)
  }
}

const measureOneLong = (): Figure[] => {
  const folder = seededFolder(oneLong)
  const stores = openStores(folder)
  try {
    const open = medianOf(15, () => stores.views.conversation('conversation-seed-1', null))
    return [{ what: 'open a conversation of 5,000 messages', value: open, unit: 'ms', budget: { atMost: 200 } }]
  } finally {
    stores.close()
    removeFolder(folder)
  }
}

/** Everything that main does from the stores before the window can be painted. */
const paintList = (folder: string): Stores => {
  const stores = openStores(folder)
  stores.ledger.liveSnapshots()
  stores.runs.nonTerminal()
  stores.attempts.nonTerminal()
  stores.gates.unsettled()
  stores.launches.all()
  stores.list.page({ after: null, limit: conversationsPageMax, query: '' })
  stores.gates.waiting()
  return stores
}

/** A person's message with its run, and an answer to it, each made durable. */
const measureAppend = (stores: Stores) =>
  medianOf(60, (repeat) => {
    const task = run(`run-new-${repeat}`, 'conversation-seed-7')
    stores.accept({
      message: { messageId: task.messageId, conversationId: task.conversationId, text: task.topic, at: 1 },
      run: task,
    })
    const speaking = attempt(`attempt-new-${repeat}`, task, { status: 'completed' })
    stores.attempts.put(speaking)
    stores.outputs.append(output(speaking.attemptId, [text('An answer of a few words.')]))
  })
