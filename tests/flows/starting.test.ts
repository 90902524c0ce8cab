import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AgentId } from '../../shared/agent.ts'
import { AppError } from '../../shared/errors.ts'
import { FakeAdapter, type Script } from '../fakes/fake-adapter.ts'
import { TestOffice } from '../fakes/office.ts'
import { openOffices } from '../fakes/open-offices.ts'

const offices = openOffices()
const pair: { members: AgentId[] } = { members: ['rehearsal:bold', 'rehearsal:careful'] }

const agreeing: Script = ({ say, vote }) => {
  say('Fine.')
  vote('agree', 'Go')
}

/** An agent that is not found before the test lets it: a run that is being started stays so. */
class SlowAdapter extends FakeAdapter {
  found = Promise.withResolvers<void>()
  installed = true

  override async detect() {
    await this.found.promise
    const { card, program } = await super.detect()
    return this.installed ? { card, program } : { card, program: null as never }
  }
}

const slowOffice = async (script: Script = agreeing) => {
  const adapter = new SlowAdapter(script)
  const folder = mkdtempSync(join(tmpdir(), 'parley-starting-'))
  return { adapter, office: await offices.openFolder(folder, [adapter]) }
}

const plain = (conversationId: string, text: string) => ({
  conversationId, text, targets: null, settings: null, unlimitedConfirmed: false,
})

test('of two messages at the same instant one begins and the other waits behind it', async () => {
  const { office } = await offices.open(agreeing)
  const conversationId = await office.chat()
  const [one, other] = await Promise.all([
    office.handlers['message.send'](plain(conversationId, 'one')),
    office.handlers['message.send'](plain(conversationId, 'two')),
  ])
  expect([one.queuedId, other.runId]).toEqual([null, null])
  await office.until(async () => {
    const { runs, queue } = await office.handlers['conversation.open']({ conversationId, before: null })
    return runs.length === 2 && queue.length === 0 && runs.every(({ run }) => run.status === 'completed')
  })
})

test('while a run starts, its conversation is neither changed nor deleted', async () => {
  const { office, adapter } = await slowOffice()
  const conversationId = await office.group(pair)
  const sent = office.send(conversationId, 'Go?')
  const busy = { code: 'conversation.busy' }
  await expect(office.handlers['conversation.delete']({ conversationId })).rejects.toMatchObject(busy)
  await expect(
    office.handlers['conversation.update']({ conversationId, allowWrite: true }),
  ).rejects.toMatchObject(busy)
  adapter.found.resolve()
  expect(await office.runEnds(await sent)).toBe('agreed')
})

test('a change of members that has to look first does not slip under a run that began meanwhile', async () => {
  const { office, adapter } = await slowOffice(({ hang }) => hang())
  const conversationId = await office.group(pair)
  const workdir = mkdtempSync(join(tmpdir(), 'parley-other-'))
  const change = office.handlers['conversation.update']({ conversationId, workdir })
  const sent = office.send(conversationId, 'Go?')
  await expect(change).rejects.toMatchObject({ code: 'conversation.busy' })
  adapter.found.resolve()
  await sent
  const { conversation } = await office.handlers['conversation.open']({ conversationId, before: null })
  expect(conversation.workdir).toBe(office.folder)
})

test('quitting while a run starts refuses it with its reason, and nothing of it is stored', async () => {
  const { office } = await slowOffice()
  const conversationId = await office.group(pair)
  const sent = Promise.allSettled([office.send(conversationId, 'Go?')])
  await office.quit()
  expect(await sent).toMatchObject([{ status: 'rejected', reason: { code: 'app.shutting-down' } }])
  const next = await offices.next(office, [new FakeAdapter(agreeing)])
  expect((await next.handlers['conversation.open']({ conversationId, before: null })).runs).toEqual([])
  expect((await next.handlers['app.snapshot']({})).app.recovered).toBeNull()
})

test('what waits behind a start that is refused stays where it is seen, and can be sent', async () => {
  const { office, adapter } = await slowOffice()
  adapter.installed = false
  const conversationId = await office.chat()
  const first = office.handlers['message.send'](plain(conversationId, 'one'))
  await office.handlers['message.send'](plain(conversationId, 'two'))
  adapter.found.resolve()
  await expect(first).rejects.toMatchObject({ code: 'agent.not-found' })
  const view = await office.handlers['conversation.open']({ conversationId, before: null })
  expect([view.runs, view.queue.map(({ text }) => text), view.row.queued]).toEqual([[], ['two'], 1])
  adapter.installed = true
  const queuedId = view.queue[0]?.queuedId ?? ''
  const { runId } = await office.handlers['queue.send']({ conversationId, queuedId })
  expect(await office.runEnds(runId)).toBe('completed')
})

test('a queued message that is just being sent can be neither changed nor taken back', async () => {
  const adapter = new SlowAdapter(({ say, hang, prompt }) => {
    say('Hm.')
    return prompt.includes('first') ? hang() : undefined
  })
  adapter.found.resolve()
  const office = await offices.openFolder(mkdtempSync(join(tmpdir(), 'parley-starting-')), [adapter])
  const conversationId = await office.chat()
  const runId = await office.send(conversationId, 'the first')
  const { queuedId } = await office.handlers['message.send'](plain(conversationId, 'the next'))
  await office.handlers['run.stop']({ runId })
  await office.runEnds(runId)
  adapter.installed = false
  const id = { conversationId, queuedId: queuedId ?? '' }
  const sending = office.handlers['queue.send'](id)
  const busy = { code: 'conversation.busy' }
  await expect(office.handlers['queue.edit']({ ...id, text: 'too late' })).rejects.toMatchObject(busy)
  await expect(office.handlers['queue.withdraw'](id)).rejects.toMatchObject(busy)
  await expect(office.handlers['queue.send'](id)).rejects.toMatchObject(busy)
  expect(await office.runEnds((await sending).runId)).toBe('completed')
})

test('a queued message whose target has left is refused with its reason, and stays in the queue', async () => {
  const { office } = await offices.open(({ prompt, say, hang }) => {
    say('Hm.')
    return prompt.includes('first') ? hang() : undefined
  })
  const conversationId = await office.group(pair)
  const runId = await office.send(conversationId, 'the first')
  const { queuedId } = await office.handlers['message.send']({
    ...plain(conversationId, 'the next'), targets: ['rehearsal:careful'], settings: { rounds: 1, blindFirst: false },
  })
  await office.handlers['run.stop']({ runId })
  await office.runEnds(runId)
  await office.handlers['conversation.update']({
    conversationId, members: ['rehearsal:bold', 'rehearsal:sceptic'],
  })
  const id = { conversationId, queuedId: queuedId ?? '' }
  await expect(office.handlers['queue.send'](id)).rejects.toMatchObject({ code: 'message.target-outside' })
  const { queue, runs } = await office.handlers['conversation.open']({ conversationId, before: null })
  expect([queue.length, runs.length]).toEqual([1, 1])
  await office.handlers['queue.withdraw'](id)
})

test('rounds without a limit must be confirmed also where the message has to wait', async () => {
  const { office } = await offices.open(({ hang }) => hang())
  const conversationId = await office.group(pair)
  await office.send(conversationId, 'Go?')
  const unlimited = { ...plain(conversationId, 'And?'), settings: { rounds: null, blindFirst: false } }
  await expect(office.handlers['message.send'](unlimited)).rejects.toMatchObject({
    code: 'message.unlimited-unconfirmed',
  })
  await office.handlers['message.send']({ ...unlimited, unlimitedConfirmed: true })
  const { queue } = await office.handlers['conversation.open']({ conversationId, before: null })
  expect(queue.map(({ settings }) => settings.rounds)).toEqual([null])
})

test('a native session is not gone on with in another folder', async () => {
  const { office, adapter } = await offices.open(({ say }) => say('Hm.'))
  const conversationId = await office.chat()
  await office.runEnds(await office.send(conversationId, 'one'))
  await office.runEnds(await office.send(conversationId, 'two'))
  const workdir = mkdtempSync(join(tmpdir(), 'parley-other-'))
  await office.handlers['conversation.update']({ conversationId, workdir })
  await office.runEnds(await office.send(conversationId, 'three'))
  expect(adapter.opened.map(({ request }) => [request.resume !== null, request.cwd === workdir])).toEqual([
    [false, false], [true, false], [false, true],
  ])
  expect(adapter.opened[2]?.prompts[0]).toContain('one')
})

test('a lost native session is rebuilt exactly once, with everything that was said', async () => {
  let lost = 0
  const opening: NonNullable<ConstructorParameters<typeof FakeAdapter>[1]>['opening'] = async ({ resume }) => {
    if (resume === null) return
    lost += 1
    throw new AppError('agent.session-lost', 'It knows no such session.')
  }
  const { office, adapter } = await offices.open(({ say }) => say('Hm.'), { opening })
  const conversationId = await office.chat()
  await office.runEnds(await office.send(conversationId, 'the very first thing'))
  const runId = await office.send(conversationId, 'and now?')
  expect(await office.runEnds(runId)).toBe('completed')
  expect([lost, adapter.opened.length]).toEqual([1, 2])
  expect(adapter.opened[1]?.prompts[0]).toContain('the very first thing')
  expect((await office.turn(runId, 'rehearsal:bold', 'completed')).tries).toBe(2)
})

test('a session that is lost again and again is not rebuilt for ever', async () => {
  const opening = async () => {
    throw new AppError('agent.session-lost', 'It knows no such session.')
  }
  const { office } = await offices.open(({ say }) => say('Hm.'), { opening })
  const runId = await office.send(await office.chat(), 'Go?')
  expect(await office.runEnds(runId)).toBe('failed')
  expect((await office.turn(runId, 'rehearsal:bold', 'failed')).tries).toBe(2)
})

test('an office that was never started can be closed', async () => {
  const office = new TestOffice([new FakeAdapter(agreeing)])
  await office.quit()
  expect(office.composition.mayServe()).toBe(false)
  office.remove()
})

test('a queued message that is refused at its turn waits with the reason, and begins once that is mended', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'parley-queue-'))
  const workdir = join(parent, 'project')
  mkdirSync(workdir)
  const held = Promise.withResolvers<void>()
  const { office } = await offices.open(async ({ prompt, say }) => {
    if (prompt.includes('one')) await held.promise
    say('Done.')
  })
  const conversationId = await office.chat('rehearsal:bold', { workdir })
  const first = await office.send(conversationId, 'one')
  const { queuedId } = await office.handlers['message.send'](plain(conversationId, 'two'))
  rmSync(workdir, { recursive: true })
  held.resolve()
  await office.runEnds(first)
  const waiting = await office.until(async () => {
    const { queue } = await office.handlers['conversation.open']({ conversationId, before: null })
    return queue.find(({ refusal }) => refusal !== null)
  })
  expect(waiting).toMatchObject({ queuedId, text: 'two', refusal: { code: 'workdir.missing' } })
  mkdirSync(workdir)
  const { runId } = await office.handlers['queue.send']({ conversationId, queuedId: queuedId ?? '' })
  expect(await office.runEnds(runId)).toBe('completed')
  expect((await office.handlers['conversation.open']({ conversationId, before: null })).queue).toEqual([])
})
