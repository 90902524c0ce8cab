import { expect, test } from 'vitest'
import { historyOf, type History } from '../../renderer/past/moments.ts'
import { pictureAt } from '../../renderer/past/picture.ts'
import { Positions } from '../../renderer/past/positions.ts'
import type { Handlers } from '../../shared/ipc.ts'
import { outputPageMax } from '../../shared/limits.ts'
import type { LedgerEvent } from '../../shared/ledger.ts'
import type { OutputRow } from '../../shared/view.ts'
import { failing, type Script } from '../fakes/fake-adapter.ts'
import type { TestOffice } from '../fakes/office.ts'
import { openOffices } from '../fakes/open-offices.ts'

const { open: openOffice } = openOffices()

/** Reads a history as the window does, in small pages. */
async function readHistory(handlers: Handlers, runId: string): Promise<History> {
  const events: LedgerEvent[] = []
  for (;;) {
    const page = await handlers['run.timeline']({ runId, after: events.at(-1)?.seq ?? 0, limit: 7 })
    events.push(...page.events)
    if (page.end) return historyOf(events, page.end)
  }
}

const outputsOf = async (handlers: Handlers, { end }: History) => {
  const rows = new Map<string, readonly OutputRow[]>()
  for (const { attemptId } of end.turns) {
    const page = await handlers['attempt.output']({ attemptId, after: 0, limit: outputPageMax })
    rows.set(attemptId, page.rows)
  }
  return (attemptId: string) => rows.get(attemptId) ?? null
}

/** Everything that is written from now on, cut by cut. */
function cutsOf({ stores: { ledger } }: TestOffice) {
  const cuts: Parameters<typeof ledger.commitSoon>[0][] = []
  const commit = ledger.commitSoon.bind(ledger)
  ledger.commitSoon = (cut) => {
    cuts.push(cut)
    commit(cut)
  }
  return cuts
}

/** One asks first and goes on, one fails for good, and in the second round those that are left agree. */
const script: Script = async ({ round, say, vote, ask, request }) => {
  if (request.agent === 'rehearsal:sceptic') return failing('agent.unauthorized')
  say('First ')
  if (request.agent === 'rehearsal:careful' && round === 2) await ask('run a command', 'npm test')
  say(`and then, in round ${round}.`)
  vote(round >= 2 ? 'agree' : 'continue', 'Use Postgres')
  return undefined
}

test('at its end a run looks back as its record is, and after each cut as the cut had it', async () => {
  const { office } = await openOffice(script)
  const cuts = cutsOf(office)
  const conversationId = await office.group()
  const runId = await office.send(conversationId, 'Redis or Postgres?', { settings: { rounds: 3, blindFirst: true } })
  const { gateId } = await office.gate()
  await office.handlers['gate.answer']({ gateId, optionId: 'allow', note: null })
  await office.runEnds(runId)
  const { handlers } = office
  const history = await readHistory(handlers, runId)
  const positions = new Positions(history.moments)
  const outputOf = await outputsOf(handlers, history)
  const at = (index: number) => {
    const moment = history.moments[index]
    if (!moment) throw new Error(`there is no moment ${index}`)
    return pictureAt(positions.at(index), moment, history.end, outputOf)
  }

  const last = at(history.moments.length - 1)
  const view = await handlers['run.open']({ runId })
  expect(last.run.run).toEqual(view.run)
  expect(last.run.turns).toEqual(view.turns)
  expect(last.gates.map(({ status }) => status)).toEqual(['applied'])

  expect(cuts.length).toBeGreaterThan(4)
  for (const { runs = [], attempts = [], events = [] } of cuts) {
    const seq = events.findLast(({ rootId }) => rootId === runId)?.seq
    if (seq === undefined) continue
    const then = at(history.moments.findIndex(({ event }) => event?.rootId === runId && event.seq === seq))
    for (const { status, round } of runs) expect([then.run.run.status, then.run.run.round]).toEqual([status, round])
    const were = new Map(then.run.turns.map((turn) => [turn.attemptId, turn]))
    for (const { attemptId, status, tries, calledAt, startedAt, aliveSince, settledAt, gateId: asked } of attempts) {
      expect(were.get(attemptId)).toMatchObject({
        status, tries, calledAt, startedAt, aliveSince, settledAt, gateId: asked,
      })
    }
  }

  const waiting = history.moments.findIndex(({ event }) => event?.type === 'agent.asked')
  const turn = at(waiting).run.turns.at(-1)
  expect([turn?.status, turn?.text, turn?.vote]).toEqual(['awaitingGate', 'First ', null])
  expect(at(waiting).gates.map(({ status }) => status)).toEqual(['waiting'])
})

test('what a start after a crash settled without a transition is a moment of its own, the last one', async () => {
  const { office } = await openOffice(async ({ say, hang }) => {
    say('So far')
    return hang()
  })
  const runId = await office.send(await office.chat(), 'Are you there?')
  await office.until(async () => (await office.handlers['run.open']({ runId })).turns[0]?.text === 'So far')
  const record = office.stores.runs.get(runId)
  const [attempt] = office.stores.attempts.ofRun(runId)
  if (!record || !attempt) throw new Error('the run is not on record')
  const reason = { code: 'app.restarted' as const, message: 'Restarted.' }
  office.stores.ledger.commit({
    runs: [{ ...record, status: 'interrupted', settledAt: record.startedAt + 90_000, reason }],
    attempts: [{ ...attempt, status: 'interrupted', settledAt: record.startedAt + 90_000, failure: reason }],
  })
  const history = await readHistory(office.handlers, runId)
  const found = history.moments.at(-1)
  expect(found).toMatchObject({ event: null, at: record.startedAt + 90_000 })
  const positions = new Positions(history.moments)
  const picture = (index: number) => pictureAt(positions.at(index), history.moments[index]!, history.end, () => [])
  expect(picture(history.moments.length - 1).run.run.status).toBe('interrupted')
  expect(picture(history.moments.length - 2).run.turns[0]?.status).toBe('streaming')
  expect(picture(history.moments.length - 2).heard.get(attempt.attemptId)?.known).toBe('gone')
})
