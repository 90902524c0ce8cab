import { expect, test } from 'vitest'
import { holdDiscussion, type Discussion } from '../../../electron/shells/terminal/discussion.ts'
import { Interrupts } from '../../../electron/shells/terminal/interrupts.ts'
import type { Screen } from '../../../electron/shells/terminal/screen.ts'
import type { GatePolicy } from '../../../electron/start/switches.ts'
import { AppError } from '../../../shared/errors.ts'
import { FakeComposition } from '../../fakes/composition.ts'
import { changed, event, gate, recordOf, run, turn } from './records.ts'

const discussion: Discussion = {
  topic: 'Tabs or spaces? [[ask]]', agents: ['rehearsal:bold', 'rehearsal:careful'], rounds: 4, blindFirst: true,
  workdir: '/work', allowWrite: false,
}

type Act = (composition: FakeComposition, interrupts: Interrupts) => void

/** A composition whose run goes on by what it is asked; `acts` says how. */
const seated = (acts: Record<string, Act>, policy: GatePolicy = 'deny', typed: string[] = []) => {
  const said: string[] = []
  const screen: Screen = {
    say: (line) => said.push(line),
    show: (lines) => said.push(...lines.map(({ text }) => text)),
    ask: async (question, signal) => {
      said.push(question)
      const next = typed.shift()
      if (next !== undefined) return next
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve(null))
      })
    },
  }
  const interrupts = new Interrupts()
  const composition = new FakeComposition((name) => {
    acts[name]?.(composition, interrupts)
    if (name === 'conversation.create') return { conversationId: 'conversation/1' }
    if (name === 'message.send') return { runId: 'run/1', queuedId: null }
    if (name === 'run.open') return { run: run({ status: 'completed' }), actors: [], turns: [], seq: 9 }
    return {}
  })
  composition.serving = true
  const table = { composition, screen, interrupts, gates: policy }
  return { composition, said, interrupts, end: holdDiscussion(table, discussion) }
}

const settle = (status: 'completed' | 'stopped' | 'interrupted') => (composition: FakeComposition) =>
  composition.push('run.changed', changed([event('run', 'run/1', status, 'minutes.written')], [], { status }))
const paused = event('run', 'run/1', { holding: 'paused' }, 'round.done')
const namesOf = ({ calls }: FakeComposition) => calls.map(({ name }) => name)
const inputTo = ({ calls }: FakeComposition, name: string) => calls.find((call) => call.name === name)?.input

test('a discussion is created and sent as a person would, and ends when its run does, even at once', async () => {
  const { composition, end, said } = seated({ 'message.send': settle('completed') })
  expect(await end).toMatchObject({ soFar: { run: { status: 'completed' } }, interrupted: null, abandoned: false })
  expect(inputTo(composition, 'conversation.create')).toEqual({
    kind: 'group', name: 'Tabs or spaces?', members: discussion.agents, workdir: '/work', allowWrite: false,
    settings: { rounds: 4, blindFirst: true },
  })
  expect(inputTo(composition, 'message.send')).toMatchObject({ text: 'Tabs or spaces? [[ask]]', targets: null })
  expect(said).toContain('Everybody has answered.')
})

test.each(['allow', 'deny'] as const)('the policy %s answers a gate of this run as a person would', async (policy) => {
  const foreign = gate({ gateId: 'gate/2', asker: { ...gate().asker, runId: 'run/other' } })
  const { composition, end } = seated({
    'message.send': (self) => self.push('gates.changed', { gates: [gate(), foreign] }),
    'gate.answer': settle('completed'),
  }, policy)
  await end
  expect(composition.calls.filter(({ name }) => name === 'gate.answer')).toEqual([
    { name: 'gate.answer', input: { gateId: 'gate/1', optionId: policy, note: null } },
  ])
})

test('a person answers by number, again after a slip, and may add a note', async () => {
  const { composition, end } = seated({
    'message.send': (self) => self.push('gates.changed', { gates: [gate()] }),
    'gate.answer': settle('completed'),
  }, 'ask', ['maybe', '2', ' not here '])
  await end
  expect(inputTo(composition, 'gate.answer')).toEqual({
    gateId: 'gate/1', optionId: 'deny-with-note', note: 'not here',
  })
})

test('a question that is no longer asked is taken back', async () => {
  const { composition, end } = seated({
    'message.send': (self) => {
      self.push('gates.changed', { gates: [gate()] })
      self.push('gates.changed', { gates: [gate({ status: 'expired', endReason: 'askerGone' })] })
      settle('completed')(self)
    },
  }, 'ask')
  await end
  expect(namesOf(composition)).not.toContain('gate.answer')
})

test('the first Ctrl+C stops the run and waits for its end', async () => {
  const { composition, end } = seated({
    'message.send': (_composition, interrupts) => setImmediate(() => interrupts.interrupt('person')),
    'run.stop': settle('stopped'),
  })
  expect(await end).toMatchObject({ interrupted: 'person' })
  expect(inputTo(composition, 'run.stop')).toEqual({ runId: 'run/1' })
  expect(composition.quits).toEqual([])
})

test('Ctrl+C before the run has an id stops it as soon as it has one', async () => {
  const { composition, end } = seated({
    'conversation.create': (_composition, interrupts) => interrupts.interrupt('person'),
    'run.stop': settle('stopped'),
  })
  expect(await end).toMatchObject({ interrupted: 'person' })
  expect(namesOf(composition)).toContain('run.stop')
})

test('the end of the session quits at once and tells the run as it was last pushed', async () => {
  const { composition, end } = seated({
    'message.send': (self, interrupts) => {
      const cut = [turn('rehearsal:bold', { status: 'interrupted' })]
      self.whileQuitting = () => self.push('run.changed', changed([], cut, { status: 'interrupted' }))
      setImmediate(() => interrupts.interrupt('system'))
    },
  })
  const { soFar, interrupted } = await end
  expect({ status: soFar?.run.status, turns: soFar?.turns.map(({ status }) => status), interrupted }).toEqual({
    status: 'interrupted', turns: ['interrupted'], interrupted: 'system',
  })
  expect(composition.quits).toEqual(['forced'])
  expect(namesOf(composition)).not.toContain('run.stop')
})

test('a run that waits for a person is ended where there is none', async () => {
  const { composition, end, said } = seated({
    'message.send': (self) => self.push('run.changed', changed([paused], [], { status: 'holding' })),
    'run.stop': settle('stopped'),
  })
  expect(await end).toMatchObject({ abandoned: true })
  expect(namesOf(composition)).toContain('run.stop')
  expect(said.join('\n')).toContain('nobody can be asked')
})

test('a person may try the failed ones again and go on', async () => {
  const failed = turn('rehearsal:bold', { status: 'failed' })
  const { composition, end } = seated({
    'message.send': (self) => self.push('run.changed', changed(
      [paused],
      [failed, turn('rehearsal:careful', { status: 'completed' })], { status: 'holding' },
    )),
    'run.resume': settle('completed'),
  }, 'ask', ['1'])
  await end
  expect(inputTo(composition, 'attempt.retry')).toEqual({ runId: 'run/1', attemptId: recordOf(failed).attemptId })
})

test('what could not be answered is said, and the run goes on to its end', async () => {
  const { end, said } = seated({
    'message.send': (self) => self.push('gates.changed', { gates: [gate()] }),
    'gate.answer': (self) => {
      setImmediate(() => settle('completed')(self))
      throw new AppError('gate.already-answered', 'This question was answered otherwise.')
    },
  }, 'allow')
  await end
  expect(said).toContain('! This question was answered otherwise.')
})

test('the end of the session before the run has begun is an interruption, not a failure', async () => {
  const { composition, end } = seated({
    'conversation.create': (_composition, interrupts) => {
      interrupts.interrupt('system')
      throw new AppError('app.shutting-down', 'Parley is closing.')
    },
  })
  expect(await end).toEqual({ soFar: null, interrupted: 'system', abandoned: false })
  expect(composition.quits).toEqual(['forced'])
})

test('a refusal to start reaches the caller with its code, and leaves no empty conversation behind', async () => {
  const { composition, end } = seated({
    'message.send': () => {
      throw new AppError('workdir.missing', 'There is no such folder.')
    },
  })
  await expect(end).rejects.toMatchObject({ code: 'workdir.missing' })
  expect(inputTo(composition, 'conversation.delete')).toEqual({ conversationId: 'conversation/1' })
})
