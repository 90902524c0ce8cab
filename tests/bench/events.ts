import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AgentEvent } from '../../shared/agent-event.ts'
import { ask, fourKinds, openBenchWindow, showConversation } from './bench-window.ts'
import type { Figure } from './figure.ts'
import { removeFolder, seededFolder } from './seed.ts'
import { longestStall } from './stall.ts'

const eventsEach = 40_000
const quietMs = 3_000
/** What all of them say together: a quarter more than is asked of the window. */
const eventsPerSecond = 25_000

/** Four agents at once that say more than any model does, until the window shows the end of each. */
export const measureEvents = async (): Promise<Figure[]> => {
  const folder = seededFolder({ conversations: 50, runsPerConversation: 20, turnsPerRun: 9 })
  const go = Promise.withResolvers<void>()
  let ready = 0
  const window = await openBenchWindow(folder, async ({ hear, say }) => {
    ready += 1
    await go.promise
    const begun = performance.now()
    for (let index = 0; index < eventsEach; index += 1) {
      while (index > ((performance.now() - begun) / 1_000) * (eventsPerSecond / fourKinds.length)) await nextTurn()
      hear(eventAt(index))
    }
    say('\n\nThe end of it.')
  })
  try {
    const conversationId = await showConversation(window, { kind: 'group', members: [...fourKinds] })
    await ask(window, conversationId)
    await window.page.waitForFunction((count) => document.querySelectorAll('.turn').length === count, fourKinds.length)
    while (ready < fourKinds.length) await nextTurn()
    // what else runs on this computer stalls it too
    const quiet = await longestStall(() => new Promise((done) => { setTimeout(done, quietMs) }))
    const before = process.cpuUsage()
    const { total, stall } = await longestStall(async () => {
      go.resolve()
      await window.page.waitForFunction(
        (count) => document.body.innerText.split('The end of it.').length > count, fourKinds.length,
      )
    })
    const { user, system } = process.cpuUsage(before)
    const rate = (fourKinds.length * eventsEach) / (total / 1_000)
    return [
      {
        what: 'events to the window, 10,000 stored messages',
        value: rate,
        unit: 'events/s',
        budget: { atLeast: 20_000 },
      },
      { what: '  longest stall of main meanwhile', value: stall, unit: 'ms', budget: { atMost: 16 } },
      { what: '  the same while nobody speaks', value: quiet.stall, unit: 'ms', budget: null },
      { what: '  main works in each second for', value: (user + system) / total, unit: 'ms', budget: null },
    ]
  } finally {
    await window.close()
    removeFolder(folder)
  }
}

const eventAt = (index: number): AgentEvent => {
  if (index % 50 === 7) return tool(index, 'running')
  if (index % 50 === 8) return tool(index - 1, 'done')
  if (index % 10 === 3) return { type: 'reasoning', delta: ' weighing' }
  return { type: 'text', delta: index % 80 === 0 ? '\n\nA new part' : ' word' }
}

const tool = (index: number, status: 'running' | 'done'): AgentEvent =>
  ({ type: 'tool', tool: { toolId: `tool-${index}`, kind: 'execute', title: 'npm test', status, detail: null } })
