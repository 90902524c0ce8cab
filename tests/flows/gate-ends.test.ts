import { expect, test } from 'vitest'
import { holdDiscussion } from '../../electron/shells/terminal/discussion.ts'
import { inspectStored } from '../../electron/shells/terminal/inspection.ts'
import { Interrupts } from '../../electron/shells/terminal/interrupts.ts'
import { outcomeOf } from '../../electron/shells/terminal/outcome.ts'
import { FakeAdapter, type Script } from '../fakes/fake-adapter.ts'
import type { TestOffice } from '../fakes/office.ts'
import { mute, openOffices } from '../fakes/open-offices.ts'

const offices = openOffices()
const pair = ['rehearsal:bold', 'rehearsal:careful'] as const
const second = 1_000

const asks: Script = async ({ ask, say }) => {
  say('May I? ')
  await ask('run a command', 'npm test')
  say('Thanks.')
}

/** Agents that ask, and end their turn when the question is shown, without waiting for an answer. */
const openLeaving = async () => {
  const opened: Awaited<ReturnType<typeof offices.open>> = await offices.open(async ({ ask }) => {
    ask('run a command', 'npm test').catch(() => undefined)
    await opened.office.gate()
  })
  return opened.office
}

const gatesIn = async (office: TestOffice) => (await office.handlers['app.snapshot']({})).gates

test('a gate keeps its id and deadline through a reload, in a second window, and after a crash', async () => {
  const { office } = await offices.open(asks)
  await office.send(await office.chat(), 'Go?')
  const { gateId, expiresAt } = await office.gate()
  const same = [{ gateId, expiresAt, status: 'waiting' }]
  expect(await gatesIn(office)).toMatchObject(same)

  const beside = await offices.openFolder(office.folder, [mute()])
  expect(await gatesIn(beside)).toMatchObject(same)
  await expect(
    beside.handlers['gate.answer']({ gateId, optionId: 'allow', note: null }),
  ).rejects.toMatchObject({ code: 'app.read-only' })

  const afterACrash = await offices.afterACrash(office, [mute()])
  expect(await gatesIn(afterACrash)).toMatchObject(same)
  const next = await offices.next(afterACrash, [mute()])
  expect(await gatesIn(next)).toMatchObject(same)
})

test('a gate whose asker is gone is expired within a second, with the reason, on every surface', async () => {
  const office = await openLeaving()
  const lines: string[] = []
  const screen = {
    show: (shown: readonly { text: string }[]) => lines.push(...shown.map(({ text }) => text)),
    say: (text: string) => lines.push(text),
    ask: (_question: string, signal: AbortSignal) => new Promise<null>((taken) => {
      signal.addEventListener('abort', () => taken(null))
    }),
  }
  const { soFar } = await holdDiscussion(
    { composition: office.composition, screen, interrupts: new Interrupts(), gates: 'ask' },
    { topic: 'Go?', agents: [...pair], rounds: 1, blindFirst: false, workdir: office.folder, allowWrite: false },
  )
  const ended = office.pushes.flatMap(({ topic, body }) =>
    topic === 'gates.changed' ? (body as { gates: Awaited<ReturnType<typeof gatesIn>> }).gates : [])
    .filter(({ status }) => status === 'expired')
  expect(ended).toHaveLength(pair.length)
  for (const gate of ended) {
    expect(gate.endReason).toBe('askerGone')
    expect((gate.settledAt ?? Infinity) - gate.askedAt).toBeLessThan(second)
  }
  expect((await gatesIn(office)).map(({ status, endReason }) => [status, endReason]))
    .toEqual(pair.map(() => ['expired', 'askerGone']))
  expect(lines.join('\n')).toContain('no longer asked: asker gone')
  const told = ended.map(({ gateId, asker }) =>
    ({ gateId, asker: asker.id, kind: 'permission', status: 'expired', reason: 'askerGone', answer: null }))
  expect(soFar && outcomeOf(soFar).gates).toEqual(told)
  expect(inspectStored(office.folder).runs[0]?.gates).toEqual(told)
})

test('an answer to a gate that is closed says why, and changes nothing', async () => {
  const office = await openLeaving()
  const runId = await office.send(await office.chat(), 'Go?')
  await office.runEnds(runId)
  const [gate] = await gatesIn(office)
  const events = async () => (await office.handlers['run.events']({ runId, after: 0, limit: 500 })).events
  const before = [await events(), office.stores.ledger.lastSeq(gate?.gateId ?? ''), await gatesIn(office)]
  await expect(
    office.handlers['gate.answer']({ gateId: gate?.gateId ?? '', optionId: 'allow', note: null }),
  ).rejects.toMatchObject({ code: 'gate.closed', params: { reason: 'askerGone' } })
  expect([await events(), office.stores.ledger.lastSeq(gate?.gateId ?? ''), await gatesIn(office)]).toEqual(before)
})

test('an answer that a crash caught undelivered is told as lost at once, though its run waits on', async () => {
  const { office } = await offices.open(asks)
  const conversationId = await office.group({ members: [...pair] })
  const runId = await office.send(conversationId, 'Go?', { settings: { rounds: 2, blindFirst: true } })
  const gates = await office.until(async () => {
    const found = (await office.handlers['gate.list']({})).gates
    return found.length === pair.length && found
  })
  const [bold] = gates.filter(({ asker }) => asker.agent === 'rehearsal:bold')
  // the disk takes the answer, and then hangs: the turn has it, the agent does not
  const { ledger } = office.stores
  const sync = ledger.sync.bind(ledger)
  ledger.sync = () => (office.stores.attempts.get(bold?.asker.id ?? '')?.status === 'streaming' ? never : sync())
  void office.handlers['gate.answer']({ gateId: bold?.gateId ?? '', optionId: 'allow', note: null })
  await office.turn(runId, 'rehearsal:bold', 'streaming')
  expect(office.stores.gates.get(bold?.gateId ?? '')?.status).toBe('applying')
  expect(inspectStored(offices.keep(office)).runs[0]?.gates.map(({ status, reason }) => [status, reason]))
    .toEqual(expect.arrayContaining([['expired', 'askerLost'], ['waiting', null]]))

  const next = await offices.afterACrash(office, [new FakeAdapter(asks)])
  ledger.sync = sync
  expect((await next.handlers['run.open']({ runId })).turns.map(({ status }) => status))
    .toEqual(['interrupted', 'parked'])
  const after = await gatesIn(next)
  expect(after.map(({ asker, status, endReason }) => [asker.agent, status, endReason])).toEqual([
    ['rehearsal:careful', 'waiting', null],
    ['rehearsal:bold', 'expired', 'askerLost'],
  ])
})

const never = Promise.withResolvers<void>().promise
