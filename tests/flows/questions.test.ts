import { expect, test, vi } from 'vitest'
import type { AgentId } from '../../shared/agent.ts'
import { gateExpiryMs } from '../../shared/limits.ts'
import { readPrompt } from '../../shared/read-prompt.ts'
import { FakeAdapter, type Script } from '../fakes/fake-adapter.ts'
import type { TestOffice } from '../fakes/office.ts'
import { mute, openOffices } from '../fakes/open-offices.ts'

const offices = openOffices()
const bold = 'rehearsal:bold'
const pair: { members: AgentId[] } = { members: [bold, 'rehearsal:careful'] }

const asks: Script = async ({ ask, say, vote }) => {
  say('May I? ')
  const { effect } = await ask('run a command', 'npm test')
  say(effect)
  vote('agree', 'Go')
}

const waitingGates = async (office: TestOffice) => (await office.handlers['gate.list']({})).gates
const answer = (office: TestOffice, gateId: string, optionId: string) =>
  office.handlers['gate.answer']({ gateId, optionId, note: null })

/** Lets the wall clock jump; timers go on as they are. */
const inDays = (days: number) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * 86_400_000 })
}

test('of two different answers at the same instant one stands, and the other is told so', async () => {
  const { office } = await offices.open(asks)
  const runId = await office.send(await office.chat(), 'Go?')
  const { gateId } = await office.gate()
  const [one, other] = await Promise.allSettled([answer(office, gateId, 'allow'), answer(office, gateId, 'deny')])
  expect([one.status, other.status]).toEqual(['fulfilled', 'rejected'])
  expect(other).toMatchObject({ reason: { code: 'gate.already-answered' } })
  expect(await office.runEnds(runId)).toBe('completed')
  expect((await office.turn(runId, bold, 'completed')).text.trim()).toBe('May I? grant')
})

test('an answer in the moment of the stop is refused, and the agent never hears it', async () => {
  const { office, adapter } = await offices.open(asks)
  const runId = await office.send(await office.chat(), 'Go?')
  const { gateId } = await office.gate()
  const [, late] = await Promise.allSettled([office.handlers['run.stop']({ runId }), answer(office, gateId, 'allow')])
  expect(late).toMatchObject({ status: 'rejected', reason: { code: 'gate.closed', params: { reason: 'withdrawn' } } })
  expect(await office.runEnds(runId)).toBe('stopped')
  expect([adapter.alive, adapter.opened[0]?.answers]).toEqual([0, []])
})

test('a stop in the moment of the answer ends the run, and nothing waits any more', async () => {
  const { office, adapter } = await offices.open(asks)
  const runId = await office.send(await office.chat(), 'Go?')
  const { gateId } = await office.gate()
  await Promise.allSettled([answer(office, gateId, 'allow'), office.handlers['run.stop']({ runId })])
  expect(['stopped', 'completed']).toContain(await office.runEnds(runId))
  await office.until(async () => (await waitingGates(office)).length === 0)
  expect(adapter.alive).toBe(0)
})

test('three questions at once are asked one after another, and each gets its own answer', async () => {
  const { office, adapter } = await offices.open(async ({ ask, say }) => {
    const answers = await Promise.all(['one', 'two', 'three'].map((detail) => ask('run a command', detail)))
    say(answers.map(({ effect }) => effect).join(' '))
  })
  const runId = await office.send(await office.chat(), 'Go?')
  for (const [detail, optionId] of [['one', 'allow'], ['two', 'deny'], ['three', 'allow']] as const) {
    const gate = await office.until(async () => (await waitingGates(office)).find((one) => one.detail === detail))
    expect(await waitingGates(office)).toHaveLength(1)
    await answer(office, gate.gateId, optionId)
  }
  expect(await office.runEnds(runId)).toBe('completed')
  expect((await office.turn(runId, bold, 'completed')).text).toBe('grant deny grant')
  expect(adapter.opened[0]?.answers).toEqual(['request-1: grant', 'request-2: deny', 'request-3: grant'])
})

test('an agent that takes its question back goes on, and its gate is withdrawn', async () => {
  const { office } = await offices.open(async ({ ask, say, hear }) => {
    void ask('run a command', 'npm test')
    hear({ type: 'askedNoMore', requestId: 'request-1' })
    say('Never mind.')
  })
  const runId = await office.send(await office.chat(), 'Go?')
  expect(await office.runEnds(runId)).toBe('completed')
  expect(await waitingGates(office)).toEqual([])
})

test('an agent that finishes while its question is open is finished, and nobody can answer it any more', async () => {
  const finish = Promise.withResolvers<void>()
  const { office } = await offices.open(async ({ ask, say }) => {
    void ask('run a command', 'one')
    void ask('run a command', 'two')
    await finish.promise
    say('Done without it.')
  })
  const runId = await office.send(await office.chat(), 'Go?')
  const { gateId } = await office.gate()
  finish.resolve()
  expect(await office.runEnds(runId)).toBe('completed')
  expect(await waitingGates(office)).toEqual([])
  await expect(answer(office, gateId, 'allow')).rejects.toMatchObject({ code: 'gate.closed' })
})

test('what an agent says and asks after its end belongs to no turn', async () => {
  let late: Parameters<Script>[0] | undefined
  const { office } = await offices.open(async (stage) => {
    late ??= stage
    stage.say('The end.')
    if (stage !== late) await stage.hang()
    stage.vote('continue', 'Go')
  })
  const runId = await office.send(await office.group(pair), 'Go?')
  await office.turn(runId, 'rehearsal:careful', 'streaming')
  late?.say(' And another thing.')
  void late?.ask('run a command', 'rm -rf')
  late?.hear({ type: 'askedNoMore', requestId: 'request-1' })
  await office.handlers['run.stop']({ runId })
  await office.runEnds(runId)
  expect((await office.turn(runId, bold, 'completed')).text.trim()).toBe('The end.')
  const gates = office.pushes.filter(({ topic }) => topic === 'gates.changed')
  expect(gates).toEqual([])
})

test('an oversize question is shown bounded, and a malformed note of one agent stops nobody', async () => {
  const { office } = await offices.open(async ({ ask, say, hear }) => {
    const title = 'x'.repeat(10_000)
    hear({ type: 'tool', tool: { toolId: 't', kind: 'read', title, status: 'done', detail: null } })
    await ask(title, title)
    say('Done.')
  })
  const runId = await office.send(await office.chat(), 'Go?')
  const gate = await office.gate()
  expect(gate.title.length).toBeLessThan(1_000)
  await answer(office, gate.gateId, 'allow')
  expect(await office.runEnds(runId)).toBe('completed')
  expect((await office.handlers['app.snapshot']({})).app.readOnly).toBeNull()
})

test('a gate that nobody answers in time counts as a no, also when that was while Parley was closed', async () => {
  const { office } = await offices.open(asks)
  const runId = await office.send(await office.chat(), 'Go?')
  const { gateId } = await office.gate()
  await office.quit()
  inDays(gateExpiryMs / 86_400_000 + 1)
  try {
    const next = await offices.next(office, [mute()])
    expect(await next.runEnds(runId)).toBe('interrupted')
    expect(await waitingGates(next)).toEqual([])
    await expect(answer(next, gateId, 'allow')).rejects.toMatchObject({
      code: 'gate.closed', params: { reason: 'expired' },
    })
  } finally {
    vi.useRealTimers()
  }
})

test('quitting while one waits for the person keeps its gate as it is, and leaves no process', async () => {
  const { office, adapter } = await offices.open(asks)
  const runId = await office.send(await office.chat(), 'Go?')
  const gate = await office.gate()
  expect(office.composition.survey()).toMatchObject({ interrupts: [], keeps: [{ gatesWaiting: 1 }] })
  await office.quit()
  expect(adapter.alive).toBe(0)
  const next = await offices.next(office, [new FakeAdapter(({ say }) => say('Gone on.'))])
  expect(await waitingGates(next)).toMatchObject([{ gateId: gate.gateId, expiresAt: gate.expiresAt }])
  const again = await offices.next(next, [new FakeAdapter(({ say }) => say('Gone on.'))])
  expect(await waitingGates(again)).toMatchObject([{ gateId: gate.gateId, expiresAt: gate.expiresAt }])
  await answer(again, gate.gateId, 'allow')
  expect(await again.runEnds(runId)).toBe('completed')
})

test('quitting while one of a blind round asks and another speaks interrupts the run with its reason', async () => {
  const { office, adapter } = await offices.open(async (stage) => {
    if (stage.request.agent !== bold) await stage.hang()
    return asks(stage)
  })
  const conversationId = await office.group(pair)
  const runId = await office.send(conversationId, 'Go?', { settings: { rounds: 2, blindFirst: true } })
  await office.gate()
  await office.turn(runId, 'rehearsal:careful', 'streaming')
  expect(office.composition.survey().interrupts).toHaveLength(1)
  const next = await offices.next(office, [mute()])
  expect(adapter.alive).toBe(0)
  expect((await next.handlers['run.open']({ runId })).run).toMatchObject({ status: 'interrupted' })
  expect(await waitingGates(next)).toEqual([])
})

const stubborn: Script = ({ request, say, vote }) => {
  say('As before.')
  vote('continue', `the view of ${request.agent}`)
}

const aDecision = async (office: TestOffice) => {
  const runId = await office.send(await office.group(pair), 'Go?', {
    settings: { rounds: null, blindFirst: false }, unlimitedConfirmed: true,
  })
  return { runId, gate: await office.gate() }
}

test('a decision that is refused stops the run, and one that expires holds it until the person comes', async () => {
  const { office } = await offices.open(stubborn)
  const { runId, gate } = await aDecision(office)
  await answer(office, gate.gateId, 'stop')
  expect(await office.runEnds(runId)).toBe('stopped')

  const second = await aDecision(office)
  await office.quit()
  inDays(8)
  try {
    const next = await offices.next(office, [new FakeAdapter(stubborn)])
    await next.until(async () => (await waitingGates(next)).length === 0)
    const { run } = await next.handlers['run.open']({ runId: second.runId })
    expect(run.status).toBe('holding')
    await next.handlers['run.resume']({ runId: second.runId })
    await next.until(async () => (await next.handlers['run.open']({ runId: second.runId })).run.round > run.round)
  } finally {
    vi.useRealTimers()
  }
})

const editsThenFails: Script = ({ hear }) => {
  hear({ type: 'tool', tool: { toolId: 't', kind: 'edit', title: 'edit a file', status: 'done', detail: null } })
  return { status: 'failed', failure: { code: 'agent.rate-limited', message: 'Slow down.', retryAfterMs: 10 } }
}

test.each(['granted', 'denied'] as const)(
  'a writing attempt whose outcome is unknown is tried again only when that is granted: %s, after a restart',
  async (how) => {
    const { office, adapter } = await offices.open(editsThenFails)
    const runId = await office.send(await office.chat(bold, { allowWrite: true }), 'Go?')
    const gate = await office.gate()
    expect([gate.kind, adapter.opened.length]).toEqual(['retry', 1])
    const works = new FakeAdapter(({ say }) => say('Done.'))
    const next = await offices.next(office, [works])
    expect(works.opened).toEqual([])
    await answer(next, gate.gateId, how === 'granted' ? 'tryAgain' : 'giveUp')
    expect(await next.runEnds(runId)).toBe(how === 'granted' ? 'completed' : 'failed')
    expect(works.opened).toHaveLength(how === 'granted' ? 1 : 0)
  },
)

test('a write that was approved more than seven days ago is asked about once more', async () => {
  const { office } = await offices.open(asks)
  const runId = await office.send(await office.chat(bold, { allowWrite: true }), 'Go?')
  const { gateId } = await office.gate()
  await office.quit()
  // answered, and killed before the asker could take it
  const next = await offices.next(office, [mute()])
  const folder = await answeredButNotDelivered(next, gateId)
  inDays(8)
  try {
    const prompts: string[] = []
    const resumed = new FakeAdapter(({ prompt, say }) => {
      prompts.push(prompt)
      say('Done.')
    })
    const later = await offices.openFolder(folder, [resumed])
    const again = await later.gate()
    expect([again.kind, resumed.opened.length]).toEqual(['retry', 0])
    await answer(later, again.gateId, 'tryAgain')
    expect(await later.runEnds(runId)).toBe('completed')
    expect(readPrompt(prompts[0] ?? '').decision?.effect).toBe('grant')
  } finally {
    vi.useRealTimers()
  }
})

/** The folder in the moment after the answer is on disk and before anybody has taken it. */
const answeredButNotDelivered = async (office: TestOffice, gateId: string): Promise<string> => {
  const { ledger } = office.stores
  const commit = ledger.commitSoon.bind(ledger)
  let folder = ''
  ledger.commitSoon = (cut) => {
    commit(cut)
    const isAnswered = cut.gates?.some((gate) => gate.gateId === gateId && gate.decision !== null)
    if (isAnswered) folder ||= offices.keep(office)
  }
  await answer(office, gateId, 'allow')
  expect(folder).not.toBe('')
  return folder
}

test('a crash between answer and delivery: the next start delivers, exactly once', async () => {
  const { office } = await offices.open(asks)
  const runId = await office.send(await office.chat(), 'Go?')
  const { gateId } = await office.gate()
  const folder = await answeredButNotDelivered(office, gateId)
  const hanging = new FakeAdapter(({ say, hang }) => {
    say('Gone on, ')
    return hang()
  })
  const next = await offices.openFolder(folder, [hanging])
  await next.turn(runId, bold, 'streaming')
  expect(hanging.opened).toHaveLength(1)
  await next.until(async () => (await next.turn(runId, bold, 'streaming')).text !== 'May I? ')
  const last = await offices.afterACrash(next, [mute()])
  expect((await last.handlers['run.open']({ runId })).run.status).toBe('interrupted')
  expect(last.stores.gates.get(gateId)?.status).toBe('applied')
})
