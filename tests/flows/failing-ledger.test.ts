import { expect, test } from 'vitest'
import type { AgentId } from '../../shared/agent.ts'
import { AppError } from '../../shared/errors.ts'
import type { Push } from '../../shared/ipc.ts'
import type { Stores } from '../../electron/stores/stores.ts'
import { FakeAdapter, type Script } from '../fakes/fake-adapter.ts'
import type { TestOffice } from '../fakes/office.ts'
import { openOffices } from '../fakes/open-offices.ts'

const offices = openOffices()
const pair: { members: AgentId[] } = { members: ['rehearsal:bold', 'rehearsal:careful'] }

const discussing: Script = async ({ round, say, vote, ask, request }) => {
  say(`Round ${round}. `)
  if (request.agent === 'rehearsal:bold' && round === 1) await ask('run a command', 'npm test')
  vote(round === 2 ? 'agree' : 'continue', 'Go', true)
}

/** Everything that main writes while it works, each to be let fail. */
const writers = (stores: Stores) => [
  [stores.ledger, 'commit'], [stores.ledger, 'commitSoon'], [stores.ledger, 'sync'],
  [stores.outputs, 'append'], [stores.attempts, 'keepReply'], [stores.deliveries, 'add'],
  [stores.sessions, 'keep'], [stores, 'accept'],
] as const

/** From the `n`th write on, nothing can be written. Tells how many there were. */
const failFrom = (stores: Stores, n: number) => {
  const written = { count: 0 }
  for (const [owner, name] of writers(stores)) {
    const target = owner as unknown as Record<string, (...given: unknown[]) => unknown>
    const write = target[name]?.bind(owner)
    target[name] = (...given) => {
      written.count += 1
      if (written.count >= n) throw new AppError('ledger.unwritable', 'The disk is full.')
      return write?.(...given)
    }
  }
  return written
}

/** Discusses until it ends or nothing can be written any more, answering what is asked. */
const discuss = async (office: TestOffice, conversationId: string) => {
  const isReadOnly = async () => (await office.handlers['app.snapshot']({})).app.readOnly?.code === 'ledger.unwritable'
  const sent = await office.send(conversationId, 'Go?').catch((error: unknown) => error)
  if (typeof sent !== 'string') return sent
  await office.until(async () => {
    if (await isReadOnly()) return true
    const { gates } = await office.handlers['gate.list']({})
    for (const { gateId } of gates) {
      await office.handlers['gate.answer']({ gateId, optionId: 'allow', note: null }).catch(() => undefined)
    }
    return (await office.handlers['run.open']({ runId: sent })).run.status === 'agreed'
  })
  return sent
}

test('a ledger that fails at any write: read-only, no process, and nothing shown that is not stored', async () => {
  const whole = await offices.open(discussing)
  const counted = failFrom(whole.office.stores, Infinity)
  await discuss(whole.office, await whole.office.group(pair))
  expect(counted.count).toBeGreaterThan(20)

  let failures = 0
  for (let n = 1; n <= counted.count; n += 1) {
    const { office, adapter } = await offices.open(discussing)
    const conversationId = await office.group(pair)
    const written = failFrom(office.stores, n)
    await discuss(office, conversationId)
    // how often is written depends a little on the clock
    if (written.count < n) continue
    failures += 1
    const state = await office.until(async () => {
      const { app } = await office.handlers['app.snapshot']({})
      return app.readOnly && app
    }, 3_000).catch(() => null)
    expect([n, state?.readOnly?.code ?? null, state?.lifecycle ?? null]).toEqual([n, 'ledger.unwritable', 'readOnly'])
    await office.until(async () => adapter.alive === 0, 3_000)
    await expect(
      office.handlers['draft.save']({ conversationId, text: 'x' }),
    ).rejects.toMatchObject({ code: 'app.read-only' })

    const shown = lastShown(office)
    await office.quit()
    const next = await offices.openFolder(office.folder, [new FakeAdapter(discussing)])
    const { runs } = await next.handlers['conversation.open']({ conversationId, before: null })
    for (const { run, turns } of shown) {
      const stored = runs.find((view) => view.run.runId === run.runId)
      expect([n, stored?.run.topic]).toEqual([n, 'Go?'])
      for (const turn of turns) {
        const kept = stored?.turns.find(({ attemptId }) => attemptId === turn.attemptId)
        expect([n, kept?.text.startsWith(turn.text ?? '')]).toEqual([n, true])
      }
    }
    expect([n, next.stores.integrity()]).toEqual([n, []])
    await next.quit()
  }
  expect(failures).toBeGreaterThan(20)
}, 120_000)

type Patch = Push<'run.changed'>

/** The runs and turns as the last pushes showed them. */
const lastShown = (office: TestOffice) => {
  const shown = new Map<string, { run: Patch['run']; turns: Map<string, Patch['turns'][number]> }>()
  for (const { topic, body } of office.pushes) {
    if (topic !== 'run.changed') continue
    const { run, turns } = body as Patch
    const known = shown.get(run.runId) ?? { run, turns: new Map() }
    for (const turn of turns) known.turns.set(turn.attemptId, turn)
    shown.set(run.runId, { run, turns: known.turns })
  }
  return [...shown.values()].map(({ run, turns }) => ({ run, turns: [...turns.values()] }))
}

test('when nothing can be written, orders say so and do not claim that the run has ended', async () => {
  const { office } = await offices.open(({ hang }) => hang())
  const runId = await office.send(await office.group(pair), 'Go?')
  const { attemptId } = await office.turn(runId, 'rehearsal:bold', 'streaming')
  failFrom(office.stores, 1)
  await expect(office.handlers['run.pause']({ runId })).rejects.toMatchObject({ code: 'ledger.unwritable' })
  await expect(office.handlers['run.stop']({ runId })).rejects.toMatchObject({ code: 'app.read-only' })
  await expect(
    office.handlers['attempt.cancel']({ runId, attemptId }),
  ).rejects.toMatchObject({ code: 'app.read-only' })
})

test('an agent that is still being opened when the ledger fails is ended as soon as it is there', async () => {
  const opening = Promise.withResolvers<void>()
  const { office, adapter } = await offices.open(discussing, { opening: () => opening.promise })
  const runId = await office.send(await office.group(pair), 'Go?')
  await office.turn(runId, 'rehearsal:bold', 'launching')
  failFrom(office.stores, 1)
  await office.handlers['run.pause']({ runId }).catch(() => undefined)
  opening.resolve()
  await office.until(async () => adapter.opened.length === 1, 50).catch(() => undefined)
  await office.quit()
  expect([adapter.opened.length, adapter.alive]).toEqual([1, 0])
})
