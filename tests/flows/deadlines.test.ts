import { expect, test } from 'vitest'
import type { Script } from '../fakes/fake-adapter.ts'
import { testSettings, type TestOffice } from '../fakes/office.ts'
import { openOffices } from '../fakes/open-offices.ts'

const offices = openOffices()

const openOffice = async (script: Script, limits: { silenceMs?: number; capMs?: number }) => {
  const opened = await offices.open(script)
  opened.office.settings = { ...testSettings, ...limits }
  return opened
}

const firstTurn = async (office: TestOffice, runId: string) => (await office.handlers['run.open']({ runId })).turns[0]

test('an agent that says nothing for too long is timed out, its text is kept, and the others go on', async () => {
  const { office, adapter } = await openOffice(async ({ request, say, vote, hang }) => {
    say(`Word of ${request.agent}.`)
    if (request.agent === 'rehearsal:bold') await hang()
    vote('agree', 'Go')
  }, { silenceMs: 150 })
  const runId = await office.send(await office.group(), 'Go?', { settings: { rounds: 2, blindFirst: false } })
  expect(await office.runEnds(runId)).toBe('roundsUp')
  expect(await firstTurn(office, runId)).toMatchObject({
    status: 'timedOut', failure: { code: 'agent.silent' }, text: 'Word of rehearsal:bold.', aliveSince: null,
  })
  expect(adapter.alive).toBe(0)
})

test('an agent that only sends heartbeats is ended by the hard cap, which is known while it speaks', async () => {
  let beating: NodeJS.Timeout | undefined
  const { office } = await openOffice(({ say, hang }) => {
    beating = setInterval(() => say('.'), 20)
    return hang()
  }, { silenceMs: 10_000, capMs: 400 })
  const conversationId = await office.chat()
  const runId = await office.send(conversationId, 'Go?')
  const speaking = await office.until(async () => {
    const turn = await firstTurn(office, runId)
    return turn?.status === 'streaming' && turn
  })
  expect(speaking.capAt).toBeGreaterThan(speaking.startedAt ?? Infinity)
  expect(await office.runEnds(runId)).toBe('failed')
  clearInterval(beating)
  expect(await firstTurn(office, runId)).toMatchObject({ status: 'timedOut', failure: { code: 'agent.cap-reached' } })
})

test('a question to the person stops the clocks: neither silence nor the cap ends an attempt at its gate', async () => {
  let beating: NodeJS.Timeout | undefined
  const { office } = await openOffice(async ({ request, ask, say, hang }) => {
    if (request.agent === 'rehearsal:careful') {
      beating = setInterval(() => say('.'), 20)
      await hang()
    }
    await ask('run a command', 'npm test')
    say('Done.')
  }, { silenceMs: 120, capMs: 240 })
  const runId = await office.send(await office.chat('rehearsal:bold'), 'Go?')
  const gate = await office.until(async () => (await office.handlers['gate.list']({})).gates[0])
  expect(await firstTurn(office, runId)).toMatchObject({ status: 'awaitingGate', capAt: null, silenceAt: null })
  // another attempt begins now and is ended by its cap: both limits have passed since the question
  const other = await office.send(await office.chat('rehearsal:careful'), 'And you?')
  expect(await office.runEnds(other)).toBe('failed')
  clearInterval(beating)
  expect(await firstTurn(office, runId)).toMatchObject({ status: 'awaitingGate' })
  await office.handlers['gate.answer']({ gateId: gate.gateId, optionId: 'allow', note: null })
  expect(await office.runEnds(runId)).toBe('completed')
})
