import { expect, test } from 'vitest'
import { failing, type Script } from '../fakes/fake-adapter.ts'
import type { TestOffice } from '../fakes/office.ts'
import { openOffices } from '../fakes/open-offices.ts'

const { open: openOffice } = openOffices()

const twoSeats = { members: ['rehearsal:bold', 'rehearsal:careful'] as const }
const pair = { members: [...twoSeats.members] }

const turnOf = (office: TestOffice, runId: string, agent: string, status: string) =>
  office.until(async () => {
    const { turns } = await office.handlers['run.open']({ runId })
    return turns.findLast((turn) => turn.agent === agent && turn.status === status)
  })

/** Bold hangs until it is told otherwise; the others agree at once. */
const boldHangs: Script = async ({ request, say, vote, hang }) => {
  if (request.agent === 'rehearsal:bold') {
    say('Well, ')
    await hang()
  }
  say('Fine. ')
  vote('agree', 'Go')
}

test('a stop names its run: a stale name is refused and changes nothing', async () => {
  const { office } = await openOffice(boldHangs)
  const runId = await office.send(await office.group(pair), 'Go?')
  await turnOf(office, runId, 'rehearsal:bold', 'streaming')
  await expect(office.handlers['run.stop']({ runId: 'run_other' })).rejects.toMatchObject({ code: 'run.unknown' })
  expect((await office.handlers['run.open']({ runId })).run.status).toBe('running')
  await office.handlers['run.stop']({ runId })
  expect(await office.runEnds(runId)).toBe('stopped')
  await expect(office.handlers['run.stop']({ runId })).rejects.toMatchObject({ code: 'run.settled' })
  const { turns } = await office.handlers['run.open']({ runId })
  expect(turns.map(({ status, text }) => [status, text.trim()])).toEqual([['stopped', 'Well,']])
})

test('cancelling one attempt lets the others go on, and its text is kept', async () => {
  const { office, adapter } = await openOffice(boldHangs)
  const conversationId = await office.group({})
  const runId = await office.send(conversationId, 'Go?', { settings: { rounds: 2, blindFirst: false } })
  const turn = await turnOf(office, runId, 'rehearsal:bold', 'streaming')
  await office.handlers['attempt.cancel']({ runId, attemptId: turn.attemptId })
  expect(await office.runEnds(runId)).toBe('agreed')
  const { turns } = await office.handlers['run.open']({ runId })
  expect(turns.map(({ status, text }) => [status, text.trim()])).toEqual([
    ['stopped', 'Well,'],
    ['completed', 'Fine.'],
    ['completed', 'Fine.'],
  ])
  expect(adapter.alive).toBe(0)
})

test('a retry of a speaking attempt begins its answer anew in a further try', async () => {
  let times = 0
  const { office } = await openOffice(({ request, say, vote, hang }) => {
    if (request.agent === 'rehearsal:bold' && times++ === 0) {
      say('Lost the thread')
      return hang()
    }
    say('Fine. ')
    return vote('agree', 'Go')
  })
  const runId = await office.send(await office.group(pair), 'Go?')
  const turn = await turnOf(office, runId, 'rehearsal:bold', 'streaming')
  await office.handlers['attempt.retry']({ runId, attemptId: turn.attemptId })
  expect(await office.runEnds(runId)).toBe('agreed')
  const { turns } = await office.handlers['run.open']({ runId })
  expect(turns.map(({ tries, status, text }) => [tries, status, text.trim()])).toEqual([
    [2, 'completed', 'Fine.'],
    [1, 'completed', 'Fine.'],
  ])
})

test('replacing a speaker hands its seat to another agent in the same round', async () => {
  const { office } = await openOffice(boldHangs)
  const runId = await office.send(await office.group(pair), 'Go?')
  const turn = await turnOf(office, runId, 'rehearsal:bold', 'streaming')
  await expect(
    office.handlers['attempt.replace']({ runId, attemptId: turn.attemptId, agent: 'rehearsal:careful' }),
  ).rejects.toMatchObject({ code: 'attempt.cannot' })
  await office.handlers['attempt.replace']({ runId, attemptId: turn.attemptId, agent: 'rehearsal:sceptic' })
  expect(await office.runEnds(runId)).toBe('agreed')
  const { turns, run } = await office.handlers['run.open']({ runId })
  expect(new Set(turns.map(({ seat, agent, status }) => `${seat}: ${agent} ${status}`))).toEqual(
    new Set([
      'rehearsal:bold: rehearsal:bold stopped',
      'rehearsal:bold: rehearsal:sceptic completed',
      'rehearsal:careful: rehearsal:careful completed',
    ]),
  )
  expect(run.seats.map(({ agent }) => agent)).toEqual(['rehearsal:sceptic', 'rehearsal:careful'])
})

test('a run can be held between rounds and goes on when resumed', async () => {
  const { office } = await openOffice(({ round, say, vote }) => {
    say(`${round}`)
    vote(round === 3 ? 'agree' : 'continue', `position ${round}`, true)
  })
  const runId = await office.send(await office.group(pair), 'Go?')
  await office.handlers['run.pause']({ runId })
  await office.until(async () => (await office.handlers['run.open']({ runId })).run.status === 'holding')
  await office.handlers['run.resume']({ runId })
  expect(await office.runEnds(runId)).toBe('agreed')
})

test('in a blind first round everybody speaks at once and nobody is shown what the others said', async () => {
  const prompts: { round: number; prompt: string }[] = []
  const { office } = await openOffice(({ round, prompt, request, say, vote }) => {
    prompts.push({ round, prompt })
    say(`Word of ${request.agent}. `)
    vote(round === 2 ? 'agree' : 'continue', 'Go')
  })
  const runId = await office.send(await office.group({}), 'Go?', { settings: { rounds: 3, blindFirst: true } })
  expect(await office.runEnds(runId)).toBe('agreed')
  const seen = (round: number) =>
    prompts.filter((sent) => sent.round === round).map(({ prompt }) => (prompt.match(/Word of/g) ?? []).length)
  expect(seen(1)).toEqual([0, 0, 0])
  expect(seen(2).every((count) => count >= 2)).toBe(true)
})

test('rounds that are up end the run without an agreement', async () => {
  const { office } = await openOffice(({ request, round, say, vote }) => {
    say('No.')
    vote('continue', `${request.agent} says ${round}`, true)
  })
  const runId = await office.send(await office.group(pair), 'Go?', { settings: { rounds: 2, blindFirst: false } })
  expect(await office.runEnds(runId)).toBe('roundsUp')
})

test('positions that do not move for three rounds are put before the person, who may accept one', async () => {
  const { office } = await openOffice(({ request, say, vote }) => {
    say('As before.')
    vote('continue', `the view of ${request.agent}`)
  })
  const runId = await office.send(await office.group(pair), 'Go?', {
    settings: { rounds: null, blindFirst: false },
    unlimitedConfirmed: true,
  })
  const gate = await office.until(async () => (await office.handlers['gate.list']({})).gates[0])
  expect(gate).toMatchObject({ kind: 'decision' })
  const option = gate.options.find(({ position }) => position === 'the view of rehearsal:careful')
  await office.handlers['gate.answer']({ gateId: gate.gateId, optionId: option?.optionId ?? '', note: null })
  expect(await office.runEnds(runId)).toBe('agreed')
  expect((await office.handlers['run.open']({ runId })).run.stop).toEqual({
    kind: 'accepted',
    position: 'the view of rehearsal:careful',
  })
})

test('what is sent while a run is active waits, can be edited and withdrawn, and begins by itself', async () => {
  let release = () => undefined as void
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const topics: string[] = []
  const { office } = await openOffice(async ({ prompt, say }) => {
    topics.push(prompt)
    if (prompt.includes('first')) await held
    say('Done.')
  })
  const conversationId = await office.chat()
  const runId = await office.send(conversationId, 'the first')
  const queue = (text: string) =>
    office.handlers['message.send']({
      conversationId,
      text,
      targets: null,
      settings: null,
      unlimitedConfirmed: false,
    })
  const { queuedId: second } = await queue('the second')
  const { queuedId: third } = await queue('the third')
  await office.handlers['queue.edit']({ conversationId, queuedId: second ?? '', text: 'the second, edited' })
  await office.handlers['queue.withdraw']({ conversationId, queuedId: third ?? '' })
  release()
  expect(await office.runEnds(runId)).toBe('completed')
  await office.until(async () => {
    const { runs, queue: left } = await office.handlers['conversation.open']({ conversationId, before: null })
    return left.length === 0 && runs.length === 2 && runs.every(({ run }) => run.status === 'completed')
  })
  const { runs } = await office.handlers['conversation.open']({ conversationId, before: null })
  expect(runs.map(({ run }) => run.topic)).toEqual(['the first', 'the second, edited'])
})

test('a rate-limited agent is tried again after its own wait, and one without credentials is not', async () => {
  let times = 0
  const { office } = await openOffice(({ request, say, vote }) => {
    if (request.agent === 'rehearsal:careful') return failing('agent.unauthorized')
    if (times++ === 0)
      return { status: 'failed', failure: { code: 'agent.rate-limited', message: 'Slow down.', retryAfterMs: 50 } }
    say('Here.')
    return vote('agree', 'Go')
  })
  const conversationId = await office.group(pair)
  const runId = await office.send(conversationId, 'Go?', { settings: { rounds: 1, blindFirst: false } })
  expect(await office.runEnds(runId)).toBe('partial')
  const { turns } = await office.handlers['run.open']({ runId })
  expect(turns.map(({ tries, status, failure }) => [tries, status, failure?.code ?? null])).toEqual([
    [2, 'completed', null],
    [1, 'failed', 'agent.unauthorized'],
  ])
})

test('a run in which everybody failed can be followed by another from the same message', async () => {
  let broken = true
  const { office } = await openOffice(({ say, vote }) => {
    if (broken) return failing('agent.crashed')
    say('Now it works.')
    return vote('agree', 'Go')
  })
  const conversationId = await office.group(pair)
  const runId = await office.send(conversationId, 'Go?')
  expect(await office.runEnds(runId)).toBe('failed')
  broken = false
  const { runId: next } = await office.handlers['run.followUp']({ runId, seats: null, replace: {} })
  expect(await office.runEnds(next)).toBe('agreed')
  const { runs } = await office.handlers['conversation.open']({ conversationId, before: null })
  expect(runs.map(({ run }) => [run.status, run.followUpOf, run.messageId])).toEqual([
    ['failed', null, runs[0]?.run.messageId],
    ['agreed', runId, runs[0]?.run.messageId],
  ])
})

test('after a stop nothing begins by itself: what waits begins when the person says so', async () => {
  const { office } = await openOffice(({ prompt, say, hang }) => {
    say('Hm.')
    return prompt.includes('next') ? undefined : hang()
  })
  const conversationId = await office.chat()
  const runId = await office.send(conversationId, 'the first')
  const { queuedId } = await office.handlers['message.send']({
    conversationId,
    text: 'the next',
    targets: null,
    settings: null,
    unlimitedConfirmed: false,
  })
  await expect(office.handlers['queue.send']({ conversationId, queuedId: queuedId ?? '' })).rejects.toMatchObject({
    code: 'conversation.busy',
  })
  await office.handlers['run.stop']({ runId })
  expect(await office.runEnds(runId)).toBe('stopped')
  expect((await office.handlers['conversation.open']({ conversationId, before: null })).queue).toHaveLength(1)
  const sent = await office.handlers['queue.send']({ conversationId, queuedId: queuedId ?? '' })
  expect(await office.runEnds(sent.runId)).toBe('completed')
  expect((await office.handlers['conversation.open']({ conversationId, before: null })).queue).toEqual([])
})
