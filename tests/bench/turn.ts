import { tmpdir } from 'node:os'
import { Processes } from '../../adapters/process.ts'
import { compose } from '../../electron/compose.ts'
import type { Composition } from '../../electron/shell.ts'
import { settled } from '../../shared/run.ts'
import { benchOptions } from './bench-options.ts'
import { EchoAgent } from './echo-agent.ts'
import type { OpenSession } from '../../adapters/ports.ts'
import { lowerQuartile, type Figure } from './figure.ts'
import { removeFolder, seededFolder } from './seed.ts'

const repeats = 120
const warmUps = 10
const prompt = 'Say what you think of it. '.repeat(40)

/** How many messages are stored, and the folder that holds them: 200 to a conversation. */
const sizes = [
  { stored: 0, conversations: 0 },
  { stored: 10_000, conversations: 50 },
  { stored: 100_000, conversations: 500 },
] as const

/** What Parley adds to a turn: from the message sent to the run settled, less the same process driven by nobody. */
export const measureTurn = async (): Promise<Figure[]> => {
  const chats = await Promise.all(sizes.map(({ conversations }) => openChat(conversations)))
  const turns = [bareTurn, ...chats.map(({ turn }) => turn)]
  const times = turns.map((): number[] => [])
  // taken in turns and each time in another order, so that whatever else goes on falls on all of them alike
  for (let repeat = -warmUps; repeat < repeats; repeat += 1) {
    for (const index of turns.keys()) {
      const next = (index + repeat + warmUps) % turns.length
      const time = await turns[next]?.()
      if (repeat >= 0 && time !== undefined) times[next]?.push(time)
    }
  }
  for (const chat of chats) await chat.close()
  return [...figuresOf(times.map(lowerQuartile)), ...chats.map(spawnFigure)]
}

const spawnFigure = ({ spawns }: { spawns: readonly number[] }, index: number): Figure => ({
  what: `from send to spawn, ${sizes[index]?.stored.toLocaleString('en-US')} stored messages`,
  value: lowerQuartile(spawns),
  unit: 'ms',
  budget: { atMost: 20 },
})

/** Tells when it is to start a process: what comes before is Parley's own. */
class TimedAgent extends EchoAgent {
  toldAt = 0

  override open(request: OpenSession) {
    this.toldAt = performance.now()
    return super.open(request)
  }
}

const figuresOf = ([bare = 0, empty = 0, ...fuller]: readonly number[]): Figure[] => {
  const overhead = empty - bare
  return [
    { what: 'a turn of the bare process', value: bare, unit: 'ms', budget: null },
    { what: 'what Parley adds to it, empty store', value: overhead, unit: 'ms', budget: { atMost: 5 } },
    ...fuller.flatMap((time, index): Figure[] => {
      const stored = sizes[index + 1]?.stored.toLocaleString('en-US')
      return [
        { what: `  with ${stored} stored messages`, value: time - bare, unit: 'ms', budget: null },
        {
          what: `  the same, by the empty store's`,
          value: (time - bare) / overhead,
          unit: '×',
          budget: { atMost: 1.5 },
        },
      ]
    }),
  ]
}

/** The same process through the same adapter, with nobody behind it. */
const bareTurn = async (): Promise<number> => {
  const before = performance.now()
  const agent = new EchoAgent(new Processes())
  const session = await agent.open({
    program: { file: '', before: [], version: '1' },
    agent: 'rehearsal:bold',
    cwd: tmpdir(),
    allowWrite: false,
    resume: null,
    scope: 'chat',
    token: `bench-${before}`,
    env: {},
  })
  await session.prompt({ prompt }, () => undefined)
  await session.close()
  await session.gone
  return performance.now() - before
}

/** A direct chat in a composition of its own, over so many conversations. */
const openChat = async (conversations: number) => {
  const folder = seededFolder({ conversations, runsPerConversation: 20, turnsPerRun: 9 })
  const agents: TimedAgent[] = []
  const spawns: number[] = []
  const adapters = (processes: Processes) => {
    agents.push(new TimedAgent(processes))
    return agents
  }
  const composition = compose({ ...benchOptions(folder), adapters })
  await composition.start()
  const { conversationId } = await composition.handlers['conversation.create']({
    kind: 'direct', name: 'Bench', members: ['rehearsal:bold'], workdir: tmpdir(), allowWrite: false, settings: null,
  })
  return {
    spawns,
    turn: async () => {
      const before = performance.now()
      const time = await turnThrough(composition, conversationId)
      spawns.push((agents[0]?.toldAt ?? Number.NaN) - before)
      return time
    },
    close: async () => {
      await composition.quit('forced')
      removeFolder(folder)
    },
  }
}

const turnThrough = async (composition: Composition, conversationId: string): Promise<number> => {
  const ended = Promise.withResolvers<void>()
  const stop = composition.onPush((topic, body) => {
    if (topic === 'run.changed' && 'run' in body && settled(body.run.status)) ended.resolve()
  })
  const before = performance.now()
  const { runId } = await composition.handlers['message.send']({
    conversationId, text: prompt, targets: null, settings: null, unlimitedConfirmed: false,
  })
  if (runId === null) throw new Error('The turn before has not ended.')
  await ended.promise
  const time = performance.now() - before
  stop()
  return time
}
