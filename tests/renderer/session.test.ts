import { expect, test } from 'vitest'
import { Session } from '../../renderer/state/session.ts'
import type { Bridge, CommandName, Envelope } from '../../shared/ipc.ts'
import { conversationsReadMax } from '../../shared/limits.ts'
import { fakeBridge } from '../window/fixtures/fake-bridge.ts'
import { now } from '../window/fixtures/parts.ts'
import { running } from '../window/fixtures/scenes.ts'

const conversationId = 'c-thumbs'
const view = running.conversations[conversationId]!
const { run, turns, seq } = view.runs[0]!
const row = running.snapshot.conversations.find((one) => one.conversationId === conversationId)!
const streaming = turns.find(({ status }) => status === 'streaming')!

/** A window whose main has answered one command, and whose answer is still on its way while something is pushed. */
const overtaking = (late: CommandName, pushed: Envelope) => {
  const fake = fakeBridge(structuredClone(running))
  const bridge: Bridge = {
    listen: (hear) => fake.listen(hear),
    call: async (name, input) => {
      const reply = structuredClone(await fake.call(name, input))
      if (name === late) fake.push([pushed])
      return reply
    },
  }
  return { session: new Session(bridge), fake }
}

/** Resolves once the window knows what the test waits for. */
const until = (session: Session, look: () => boolean) =>
  new Promise<void>((resolve) => {
    const see = () => {
      if (look()) resolve()
    }
    session.subscribe(see)
    see()
  })

test('a row that is pushed while the first answer is on its way is not lost', async () => {
  const made = { ...row, conversationId: 'c-made', name: 'Made meanwhile' }
  const { session } = overtaking('app.snapshot', {
    topic: 'conversations.changed', seq: 1, at: now, body: { rows: [made], removed: [] },
  })
  session.start()
  await until(session, () => session.model.world !== null)
  expect(session.model.world?.rows.map(({ name }) => name)).toContain('Made meanwhile')
})

test('a run that ends while its conversation is on its way is shown as ended', async () => {
  const ended = { ...run, status: 'stopped' as const, settledAt: now }
  const { session } = overtaking('conversation.open', {
    topic: 'run.changed', seq: 1, at: now, body: { run: ended, actors: [], turns: [], events: [], seq: seq + 1 },
  })
  session.start()
  await until(session, () => session.model.world !== null)
  await session.openConversation(conversationId)
  expect(session.model.world?.runs[run.runId]?.run.status).toBe('stopped')
})

test('what an agent says while its run is on its way is there once', async () => {
  const { attemptId, outputSeq, text } = streaming
  const { session } = overtaking('conversation.open', {
    topic: 'output.added', seq: 1, at: now,
    body: {
      runId: run.runId,
      rows: [outputSeq, outputSeq + 1].map((number) =>
        ({ attemptId, seq: number, at: now, try: 1, item: { type: 'text', delta: ` said ${number}` } })),
    },
  })
  session.start()
  await until(session, () => session.model.world !== null)
  await session.openConversation(conversationId)
  const shown = session.model.world?.runs[run.runId]?.turns.find((turn) => turn.attemptId === attemptId)?.text
  expect(shown).toBe(`${text} said ${outputSeq + 1}`)
})

test('a window that stays open for long keeps what was opened last, and forgets the rest', async () => {
  const scene = structuredClone(running)
  const ids = Array.from({ length: conversationsReadMax + 3 }, (_, index) => `c-${index}`)
  for (const id of ids) {
    scene.conversations[id] = {
      ...structuredClone(view),
      conversation: { ...view.conversation, conversationId: id },
      runs: view.runs.map((one) => ({ ...one, run: { ...one.run, runId: `r-${id}`, conversationId: id } })),
    }
  }
  const session = new Session(fakeBridge(scene))
  session.start()
  await until(session, () => session.model.world !== null)
  for (const id of ids) expect(await session.openConversation(id)).toBeNull()
  expect(Object.keys(session.model.world?.conversations ?? {})).toEqual(ids.slice(3))
  expect(Object.keys(session.model.world?.runs ?? {})).toEqual(ids.slice(3).map((id) => `r-${id}`))
})
