import { expect, test } from 'vitest'
import { Interrupts } from '../../../electron/shells/terminal/interrupts.ts'
import { openMenu } from '../../../electron/shells/terminal/menu.ts'
import type { Screen } from '../../../electron/shells/terminal/screen.ts'
import { suggestedTopics } from '../../../electron/shells/terminal/topics.ts'
import type { ConversationRow } from '../../../shared/view.ts'
import { FakeComposition } from '../../fakes/composition.ts'
import { changed, event, gate, run, turn } from './records.ts'

const row: ConversationRow = {
  conversationId: 'conversation/1',
  kind: 'group',
  name: 'An older topic',
  members: ['rehearsal:bold', 'rehearsal:careful'],
  status: 'interrupted',
  activeRunId: null,
  gatesWaiting: 0,
  queued: 0,
  hasDraft: false,
  updatedAt: 1,
}
const older = {
  run: run({ status: 'interrupted' }),
  actors: [],
  seq: 1,
  turns: [{ ...turn('rehearsal:bold', { status: 'interrupted' }), text: 'so far' }],
}
const usual = { agents: row.members, rounds: 2, blindFirst: false, workdir: '/work', allowWrite: false }

const agreed = changed([event('run', 'run/1', 'agreed', 'minutes.written')], [], { status: 'agreed' })

/** A person who types these lines, then leaves; each command that starts a run lets it end at once. */
const sitting = async (typed: string[], given: { gates?: object[]; past?: object[] } = {}) => {
  const said: string[] = []
  const screen: Screen = {
    say: (line) => said.push(line),
    show: (lines) => said.push(...lines.map(({ text }) => text)),
    ask: async (question) => {
      said.push(question)
      return typed.shift() ?? 'q'
    },
  }
  const ending = new Set(['message.send', 'run.followUp', 'gate.answer'])
  const composition = new FakeComposition((name) => {
    if (ending.has(name)) composition.push('run.changed', agreed)
    return answers[name] ?? {}
  })
  const answers: Record<string, object> = {
    'gate.list': { gates: given.gates ?? [] },
    'conversation.list': { rows: given.past ?? [row], more: null },
    'conversation.open': { runs: [older] },
    'conversation.create': { conversationId: 'conversation/2' },
    'message.send': { runId: 'run/1', queuedId: null },
    'run.followUp': { runId: 'run/1' },
    'run.open': { run: run({ status: 'agreed' }), actors: [], turns: [], seq: 2 },
  }
  composition.serving = true
  const left = await openMenu({ composition, screen, interrupts: new Interrupts(), gates: 'ask' }, usual)
  const inputTo = (name: string) => composition.calls.filter((call) => call.name === name).map(({ input }) => input)
  return { left, said, inputTo }
}

test('a typed topic becomes a discussion, and then the menu is back', async () => {
  const { left, said, inputTo } = await sitting(['Tabs or spaces?'])
  expect(inputTo('message.send')).toMatchObject([{ text: 'Tabs or spaces?' }])
  expect(said.filter((line) => line === 'They agree.')).not.toEqual([])
  expect(said.filter((line) => line === 'Topics to pick:')).toHaveLength(2)
  expect(left).toBe('left')
})

test('a topic is picked by its letter', async () => {
  const { inputTo } = await sitting(['b'])
  expect(inputTo('message.send')).toMatchObject([{ text: suggestedTopics[1] }])
})

test('one stray key starts nothing', async () => {
  const { inputTo } = await sitting(['x', '', '7'])
  expect(inputTo('message.send')).toEqual([])
})

test('what happened before is listed and looked at by its number', async () => {
  const { said, inputTo } = await sitting(['1', ''])
  expect(said).toContain('  1  ↯ An older topic · It was interrupted.')
  expect(said).toEqual(expect.arrayContaining(['    ↯ Bold: interrupted', '      │ so far', '  It was interrupted.']))
  expect(inputTo('run.followUp')).toEqual([])
})

test('an interrupted run is tried again as a follow-up', async () => {
  const { said, inputTo } = await sitting(['1', 'r'])
  expect(inputTo('run.followUp')).toEqual([{ runId: 'run/1', seats: null, replace: {} }])
  expect(said).toContain('They agree.')
})

test('a question that an earlier start left open is asked first, and its run is followed to its end', async () => {
  const { said, inputTo } = await sitting(['1'], { gates: [gate()] })
  expect(said.slice(0, 2)).toEqual(['Left open when Parley ended:', '? Careful asks: run a command'])
  expect(inputTo('gate.answer')).toEqual([{ gateId: 'gate/1', optionId: 'allow', note: null }])
})

test('the first start has nothing to look back at', async () => {
  const { said } = await sitting([], { past: [] })
  expect(said.join('\n')).not.toContain('What happened before')
  expect(said.at(-2)).toBe('Type a topic, pick one by its letter, or q to leave.')
})
