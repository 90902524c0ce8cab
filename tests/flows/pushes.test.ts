import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AgentId } from '../../shared/agent.ts'
import type { Push, PushName } from '../../shared/ipc.ts'
import { pushes as pushSchemas } from '../../shared/ipc.ts'
import type { OutputRow } from '../../shared/view.ts'
import { failing, type Script } from '../fakes/fake-adapter.ts'
import type { TestOffice } from '../fakes/office.ts'
import { openOffices } from '../fakes/open-offices.ts'

const offices = openOffices()
const members: AgentId[] = ['rehearsal:bold', 'rehearsal:careful', 'rehearsal:sceptic']

/** One thing that an agent does in a turn. */
const Doing = fc.constantFrom('say', 'replace', 'tool', 'plan', 'ask', 'reason', 'pause', 'halfAVote')
const Ending = fc.constantFrom('agree', 'continue', 'fail', 'refuse')
const Order = fc.constantFrom('queue', 'stop', 'cancel', 'retry', 'draft', 'rename')
const Plan = fc.record({
  turns: fc.array(fc.record({ doings: fc.array(Doing, { maxLength: 5 }), ending: Ending }), {
    minLength: 1,
    maxLength: 8,
  }),
  blind: fc.boolean(),
  rounds: fc.integer({ min: 1, max: 3 }),
  /** What the person does, by the number of pushes that have been seen. */
  orders: fc.array(
    fc.record({ after: fc.integer({ min: 1, max: 40 }), order: Order }),
    { maxLength: 3 },
  ),
  allow: fc.boolean(),
})
type Plan = typeof Plan extends fc.Arbitrary<infer Made> ? Made : never

const playing = ({ turns }: Plan): Script => {
  let next = 0
  return async (stage) => {
    const turn = turns[next++ % turns.length] ?? { doings: [], ending: 'agree' }
    for (const doing of turn.doings) await doings[doing]?.(stage)
    if (turn.ending === 'fail') return failing('agent.crashed')
    if (turn.ending === 'refuse') return { status: 'refused' }
    stage.vote(turn.ending, 'Go', true)
    return undefined
  }
}

const doings: Record<string, (stage: Parameters<Script>[0]) => unknown> = {
  say: ({ say }) => say('Some words, and [[more of them]]. '),
  replace: ({ hear }) => hear({ type: 'textReplaced', text: 'What was really said. ' }),
  tool: ({ hear }) =>
    hear({ type: 'tool', tool: { toolId: 't', kind: 'read', title: 'read a file', status: 'done', detail: null } }),
  plan: ({ hear }) => hear({ type: 'plan', entries: [{ title: 'one', status: 'done' }] }),
  reason: ({ hear }) => hear({ type: 'reasoning', delta: 'because' }),
  ask: async ({ ask, say }) => say((await ask('run a command', 'npm test')).effect),
  pause: () => new Promise((resolve) => { setTimeout(resolve, 60) }),
  halfAVote: ({ say }) => say('[[parley-vote nothing]] {"choice":'),
}

/** A window that has read nothing and only applies what it is told. */
const shownBy = (pushes: TestOffice['pushes']) => {
  const runs = new Map<string, ShownRun>()
  const shown = { runs, queue: [] as object[], row: null as object | null, gates: new Map<string, string>() }
  for (const { topic, body } of pushes) {
    if (topic === 'queue.changed') shown.queue = (body as Push<'queue.changed'>).queue
    if (topic === 'conversations.changed') shown.row = (body as Push<'conversations.changed'>).rows.at(-1) ?? shown.row
    if (topic === 'gates.changed') {
      for (const gate of (body as Push<'gates.changed'>).gates) shown.gates.set(gate.gateId, gate.status)
    }
    if (topic === 'run.changed') {
      const patch = body as Push<'run.changed'>
      const known = runs.get(patch.run.runId) ?? { run: patch.run, actors: new Map(), turns: new Map(), seq: 0 }
      expect(patch.events.map(({ seq }) => seq)).toEqual(patch.events.map((_, index) => known.seq + 1 + index))
      known.run = patch.run
      known.seq = patch.seq
      for (const actor of patch.actors) known.actors.set(`${actor.machine} ${actor.actor}`, actor)
      for (const turn of patch.turns) known.turns.set(turn.attemptId, { ...turn, text: turn.text ?? '' })
      runs.set(patch.run.runId, known)
    }
    if (topic === 'output.added') {
      const { runId, rows } = body as Push<'output.added'>
      for (const row of rows) applyOutput(runs.get(runId)?.turns.get(row.attemptId), row)
    }
  }
  return shown
}

interface ShownRun {
  run: Push<'run.changed'>['run']
  actors: Map<string, object>
  turns: Map<string, Turn>
  seq: number
}

type Turn = Push<'run.changed'>['turns'][number] & { text: string }

const applyOutput = (turn: Turn | undefined, { seq, at, item }: OutputRow) => {
  // nothing is put out by an attempt that nobody was told of
  if (!turn) throw new Error('output of an unknown attempt')
  if (seq <= turn.outputSeq) return
  turn.outputSeq = seq
  turn.lastOutputAt = at
  if (item.type === 'text') turn.text += item.delta
  if (item.type === 'textReplaced') turn.text = item.text
  turn.textLength = turn.text.length
  if (item.type === 'tool') turn.toolCount = Math.max(1, turn.toolCount)
}

const playOrders = async (office: TestOffice, { orders, allow }: Plan, conversationId: string, runId: string) => {
  let left = [...orders]
  await office.until(async () => {
    const due = left.filter(({ after }) => office.pushes.length >= after)
    left = left.filter((one) => !due.includes(one))
    for (const { order } of due) await give(office, order, conversationId, runId).catch(() => undefined)
    for (const { gateId, options } of (await office.handlers['gate.list']({})).gates) {
      const option = options.find(({ effect }) => effect === (allow ? 'grant' : 'deny'))
      const answer = { gateId, optionId: option?.optionId ?? '', note: null }
      await office.handlers['gate.answer'](answer).catch(() => undefined)
    }
    const { runs } = await office.handlers['conversation.open']({ conversationId, before: null })
    for (const { run } of runs) {
      if (run.status === 'holding') await office.handlers['run.stop']({ runId: run.runId }).catch(() => undefined)
    }
    return runs.every(({ run }) => run.settledAt !== null && run.status !== 'running' && run.status !== 'stopping')
  }, 20_000)
}

const give = async (office: TestOffice, order: string, conversationId: string, runId: string) => {
  const { turns } = await office.handlers['run.open']({ runId })
  const attemptId = turns.at(-1)?.attemptId ?? ''
  if (order === 'stop') await office.handlers['run.stop']({ runId })
  if (order === 'cancel') await office.handlers['attempt.cancel']({ runId, attemptId })
  if (order === 'retry') await office.handlers['attempt.retry']({ runId, attemptId })
  if (order === 'draft') await office.handlers['draft.save']({ conversationId, text: 'half a thought' })
  if (order === 'rename') await office.handlers['conversation.rename']({ conversationId, name: 'Another name' })
  if (order === 'queue') {
    await office.handlers['message.send']({
      conversationId,
      text: 'And then?',
      targets: null,
      settings: { rounds: 1, blindFirst: false },
      unlimitedConfirmed: false,
    })
  }
}

test('a window that only applies what it is told shows at the end what is stored', async () => {
  await fc.assert(
    fc.asyncProperty(Plan, async (plan) => {
      const { office } = await offices.open(playing(plan))
      const conversationId = await office.group({ members, settings: { rounds: plan.rounds, blindFirst: plan.blind } })
      const runId = await office.send(conversationId, 'Go?')
      await playOrders(office, plan, conversationId, runId)
      await office.shown()
      const stored = await office.handlers['conversation.open']({ conversationId, before: null })
      const shown = shownBy(office.pushes)
      expect([...shown.runs.values()].map(({ run, turns, actors, seq }) => ({
        run, seq, turns: [...turns.values()], actors: new Set(actors.values()),
      }))).toEqual(stored.runs.map(({ run, turns, actors, seq }) => ({
        run, seq, turns, actors: new Set(actors),
      })))
      expect([shown.row, shown.queue]).toEqual([stored.row, stored.queue])
      expect([...shown.gates.values()].filter((status) => status === 'waiting')).toHaveLength(stored.row.gatesWaiting)
      expectNothingPrivate(office)
      await office.quit()
    }),
    { numRuns: 25, endOnFailure: true },
  )
}, 120_000)

/** Every push is what its schema says, and tells nothing of native sessions, programs or votes' code words. */
const expectNothingPrivate = ({ pushes }: TestOffice) => {
  for (const { topic, body } of pushes) {
    expect(pushSchemas[topic satisfies PushName].safeParse(body).error).toBeUndefined()
    const text = JSON.stringify(body)
    for (const secret of ['native-', '"fake"', 'PARLEY_ATTEMPT']) expect(text).not.toContain(secret)
    expect(text).not.toMatch(/\[\[parley-vote [0-9a-f]{12}\]\]/)
  }
}
