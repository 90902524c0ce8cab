import { expect, test } from 'vitest'
import { FakeAdapter } from '../fakes/fake-adapter.ts'
import { mute, openOffices } from '../fakes/open-offices.ts'

const { open: openOffice, next: nextStart, afterACrash } = openOffices()

test('a crash while two stream and one waits at a gate: text and gate are there, and nothing runs', async () => {
  const { office } = await openOffice(async ({ request, say, ask, hang }) => {
    say(`Thoughts of ${request.agent}.`)
    if (request.agent === 'rehearsal:sceptic') await ask('run a command', 'npm test')
    return hang()
  })
  const conversationId = await office.group({ settings: { rounds: 3, blindFirst: true } })
  const runId = await office.send(conversationId, 'Go?')
  await office.until(async () => {
    const { turns } = await office.handlers['run.open']({ runId })
    return (
      turns.filter(({ text }) => text !== '').length === 3
      && (await office.handlers['gate.list']({})).gates.length === 1
    )
  })

  const agents = mute()
  const next = await afterACrash(office, [agents])
  const { run, turns } = await next.handlers['run.open']({ runId })
  expect(turns.map(({ agent, status, text }) => [agent, status, text])).toEqual([
    ['rehearsal:bold', 'interrupted', 'Thoughts of rehearsal:bold.'],
    ['rehearsal:careful', 'interrupted', 'Thoughts of rehearsal:careful.'],
    ['rehearsal:sceptic', 'parked', 'Thoughts of rehearsal:sceptic.'],
  ])
  expect(run.status).toBe('running')
  expect((await next.handlers['gate.list']({})).gates).toMatchObject([{ status: 'waiting', detail: 'npm test' }])
  expect(agents.opened).toEqual([])
  expect((await next.handlers['app.snapshot']({})).app.recovered).toMatchObject({ gatesKept: 1 })

  const again = await afterACrash(next, [mute()])
  expect((await again.handlers['run.open']({ runId })).turns.map(({ status }) => status)).toEqual(
    turns.map(({ status }) => status),
  )
  expect((await again.handlers['gate.list']({})).gates).toMatchObject([{ status: 'waiting' }])
})

test('a crash in a turn ends the run as interrupted, once, and a follow-up goes on from the transcript', async () => {
  const { office } = await openOffice(async ({ request, round, say, vote, hang }) => {
    say(`Word of ${request.agent} in round ${round}.`)
    if (round === 2) await hang()
    vote('continue', 'Maybe')
  })
  const conversationId = await office.group()
  const runId = await office.send(conversationId, 'Go?')
  await office.until(async () =>
    (await office.handlers['run.open']({ runId })).turns.find(({ round, text }) => round === 2 && text),
  )

  const prompts: string[] = []
  const next = await afterACrash(office, [
    new FakeAdapter(({ prompt, say, vote }) => {
      prompts.push(prompt)
      say('Agreed.')
      vote('agree', 'Go')
    }),
  ])
  const { run, turns } = await next.handlers['run.open']({ runId })
  expect([run.status, run.reason?.code]).toEqual(['interrupted', 'app.restarted'])
  expect(turns.at(-1)).toMatchObject({ status: 'interrupted', text: 'Word of rehearsal:bold in round 2.' })
  const events = await next.handlers['run.events']({ runId, after: 0, limit: 500 })
  expect(
    events.events.filter(({ value }) => value === 'interrupted' && run.runId === runId).map(({ machine }) => machine),
  ).toEqual(['attempt', 'round', 'run'])

  const { runId: followUp } = await next.handlers['run.followUp']({ runId, seats: null, replace: {} })
  expect(await next.runEnds(followUp)).toBe('agreed')
  expect(prompts[0]).toContain('Word of rehearsal:careful in round 1.')
})

test.each(['asked', 'forced'] as const)(
  'an orderly end, %s, interrupts what runs, with its own reason, and leaves no process',
  async (how) => {
    const { office, adapter } = await openOffice(({ say, hang }) => {
      say('Hm.')
      return hang()
    })
    const runId = await office.send(await office.group(), 'Go?')
    await office.until(async () => (await office.handlers['run.open']({ runId })).turns[0]?.text)
    expect(office.composition.survey().interrupts).toHaveLength(1)
    await office.composition.quit(how)
    expect(adapter.alive).toBe(0)
    const next = await nextStart(office, [mute()])
    const { run, turns } = await next.handlers['run.open']({ runId })
    expect([run.status, run.reason?.code]).toEqual(['interrupted', 'app.shutting-down'])
    expect(turns[0]).toMatchObject({ status: 'interrupted', text: 'Hm.' })
    expect((await next.handlers['app.snapshot']({})).app.recovered).toBeNull()
  },
)
