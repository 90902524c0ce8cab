import { expect, test } from 'vitest'
import { readPrompt } from '../../shared/read-prompt.ts'
import { FakeAdapter, type Script } from '../fakes/fake-adapter.ts'
import { openOffices } from '../fakes/open-offices.ts'

const offices = openOffices()

const asksToWrite: Script = async ({ ask, say, vote }) => {
  say('I would like to run the checks. ')
  const answer = await ask('run a command', 'npm test')
  say(answer.effect === 'grant' ? 'They pass.' : `Not run: ${answer.note ?? 'no reason given'}.`)
  vote('agree', 'Ship it')
}

test('a permission becomes a gate, and granting it lets exactly that attempt go on', async () => {
  const { office } = await offices.open(asksToWrite)
  const conversationId = await office.group({ members: ['rehearsal:bold', 'rehearsal:careful'] })
  const runId = await office.send(conversationId, 'Ship?')
  const first = await office.gate()
  expect(first).toMatchObject({ kind: 'permission', title: 'run a command', detail: 'npm test', status: 'waiting' })
  const { gate } = await office.handlers['gate.answer']({ gateId: first.gateId, optionId: 'allow', note: null })
  expect(gate.decision).toMatchObject({ effect: 'grant', name: 'allowOnce' })
  const second = await office.until(async () =>
    (await office.handlers['gate.list']({})).gates.find(({ gateId }) => gateId !== first.gateId),
  )
  await office.handlers['gate.answer']({ gateId: second.gateId, optionId: 'deny-with-note', note: 'too slow' })
  expect(await office.runEnds(runId)).toBe('agreed')
  const { turns } = await office.handlers['run.open']({ runId })
  expect(turns.map(({ text }) => text.trim())).toEqual([
    'I would like to run the checks. They pass.',
    'I would like to run the checks. Not run: too slow.',
  ])
  expect(await office.handlers['gate.list']({})).toEqual({ gates: [] })
})

test('the first answer stands: the same again is the same, another is refused', async () => {
  const { office } = await offices.open(asksToWrite)
  await office.send(await office.group({ members: ['rehearsal:bold', 'rehearsal:careful'] }), 'Ship?')
  const { gateId } = await office.gate()
  const answer = (optionId: string) => office.handlers['gate.answer']({ gateId, optionId, note: null })
  await expect(answer('nonsense')).rejects.toMatchObject({ code: 'gate.option-unknown' })
  await answer('allow')
  expect((await answer('allow')).gate.decision).toMatchObject({ optionId: 'allow' })
  await expect(answer('deny')).rejects.toMatchObject({ code: 'gate.already-answered' })
  await expect(
    office.handlers['gate.answer']({ gateId: 'gate/none', optionId: 'allow', note: null }),
  ).rejects.toMatchObject({ code: 'gate.unknown' })
})

test('stopping the run withdraws its gate, and the process is gone when the run says stopped', async () => {
  const { office, adapter } = await offices.open(asksToWrite)
  const runId = await office.send(await office.group(), 'Ship?')
  const { gateId } = await office.gate()
  await office.handlers['run.stop']({ runId })
  expect(await office.runEnds(runId)).toBe('stopped')
  expect(adapter.alive).toBe(0)
  await expect(office.handlers['gate.answer']({ gateId, optionId: 'allow', note: null })).rejects.toMatchObject({
    code: 'gate.closed',
  })
})

test('a gate outlives the application: it is answered after a restart, and a new process goes on from it', async () => {
  const { office, adapter } = await offices.open(asksToWrite)
  const conversationId = await office.group({ members: ['rehearsal:bold', 'rehearsal:careful'] })
  const runId = await office.send(conversationId, 'Ship?')
  const { gateId, expiresAt } = await office.gate()
  const resumed: Script = async ({ prompt, say, vote }) => {
    say(readPrompt(prompt).decision ? 'Goes on with what was granted.' : 'Starts anew.')
    vote('agree', 'Ship it')
  }
  const next = await offices.next(office, [new FakeAdapter(resumed)])
  expect(adapter.alive).toBe(0)
  const [gate] = (await next.handlers['gate.list']({})).gates
  expect(gate).toMatchObject({ gateId, expiresAt, status: 'waiting' })
  const before = await next.handlers['run.open']({ runId })
  expect(before.turns.map(({ status, text }) => [status, text.trim()])).toEqual([
    ['parked', 'I would like to run the checks.'],
  ])
  await next.handlers['gate.answer']({ gateId, optionId: 'allow', note: null })
  expect(await next.runEnds(runId)).toBe('agreed')
  const after = await next.handlers['run.open']({ runId })
  expect(after.turns.map(({ status, text }) => [status, text.trim()])).toEqual([
    ['completed', 'Goes on with what was granted.'],
    ['completed', 'Starts anew.'],
  ])
})
