import { expect, test } from 'vitest'
import { Outline } from '../../../electron/shells/terminal/outline.ts'
import { paint, wantsColour, type OutlineLine } from '../../../electron/shells/terminal/paint.ts'
import { noUsage } from '../../../shared/usage.ts'
import { agree, changed, event, gate, start, turn } from './records.ts'

const plain = (lines: OutlineLine[]) => lines.map((line) => paint(line, false))
const careful = 'attempt/rehearsal:careful/1'
const says = (item: unknown, afterMs = 1_000) =>
  ({ runId: 'run/1', rows: [{ attemptId: careful, seq: 1, at: start + afterMs, try: 1, item }] }) as never

const tool = (title: string) => ({ toolId: 't', kind: 'read', title, status: 'done', detail: null })

test('a discussion reads as an outline of its charts, each state with its mark, its time and its cause', () => {
  const outline = new Outline()
  const streaming = { onFloor: { working: { speaking: 'streaming' } } }
  const lines = [
    ...outline.runChanged(changed([
      event('run', 'run/1', { conferring: 'discussing' }, 'task.accepted'),
      event('round', 'run/1/1', 'listening', 'xstate.init'),
    ])),
    ...outline.runChanged(changed([
      event('attempt', careful, { onFloor: 'queued' }, 'xstate.init', 100),
      event('attempt', careful, streaming, 'agent.started', 1_000),
    ], [turn('rehearsal:careful')])),
    ...outline.outputAdded(says({ type: 'text', delta: 'I think\nthat ' }, 61_000)),
    ...outline.outputAdded(says({ type: 'tool', tool: tool('README.md') })),
    ...outline.outputAdded(says({ type: 'text', delta: 'tabs are fine.' })),
    ...outline.runChanged(changed([event('attempt', careful, 'completed', 'reply.kept', 62_000)], [
      turn('rehearsal:careful', { status: 'completed', text: 'I think\nthat tabs are fine.', vote: agree }),
    ])),
    ...outline.runChanged(changed([event('round', 'run/1/1', 'tallied', 'xstate.done.actor.a')])),
    ...outline.runChanged(
      changed([event('run', 'run/1', 'agreed', 'minutes.written', 63_000)], [], { status: 'agreed' }),
    ),
  ]
  expect(plain(lines)).toEqual([
    '  0:00  ● run: conferring · discussing  ← task.accepted',
    '  0:00    ● round 1: listening',
    '  0:00      ○ Careful: queued',
    '  0:01      ● Careful: streaming  ← agent.started',
    '  1:01        │ I think',
    '  0:01        │ that ',
    '  0:01        + read: README.md (done)',
    '  1:02        │ tabs are fine.',
    '  1:02      ✓ Careful: completed  ← reply.kept · agrees, changed its mind: “Tabs it is”',
    '  0:00    ✓ round 1: tallied',
    '  1:03  ✓ run: agreed  ← minutes.written',
    '  1:03    They agree.',
  ])
})

test('a failed attempt says why, without a vote', () => {
  const failure = { code: 'agent.rate-limited', message: 'The provider asked us to slow down.' } as const
  const lines = new Outline().runChanged(changed(
    [event('attempt', careful, 'failed', 'agent.gone')],
    [turn('rehearsal:careful', { status: 'failed', failure, noVote: 'missing' })],
  ))
  expect(plain(lines)).toEqual([
    '  0:00      ✗ Careful: failed  ← agent.gone · no vote (missing)',
    '  0:00        The provider asked us to slow down.',
  ])
})

test('a state that did not change is not printed again', () => {
  const outline = new Outline()
  const same = changed([event('run', 'run/1', { conferring: 'discussing' }, 'run.pause')])
  expect(outline.runChanged(same)).toHaveLength(1)
  expect(outline.runChanged(same)).toEqual([])
})

test('a gate is asked with numbered answers once, and its answer is told', () => {
  const outline = new Outline()
  outline.runChanged(changed([]))
  const allow = { optionId: 'allow', effect: 'grant', name: 'allowOnce' } as const
  const decision = { ...allow, note: null, position: null, at: start + 5_000 }
  expect(plain([
    ...outline.gateChanged(gate()),
    ...outline.gateChanged(gate()),
    ...outline.gateChanged(gate({ status: 'answered', decision })),
    ...outline.gateChanged(gate({ status: 'applied', decision })),
  ])).toEqual([
    '  0:02        ? Careful asks: run a command',
    '  0:02            make check',
    '  0:02            because: to be sure',
    '  0:02          1 Allow once   2 Deny, with a note   3 Deny',
    '  0:05        ? answered: Allow once',
  ])
})

test('a gate that is taken back says why', () => {
  const outline = new Outline()
  expect(plain(outline.gateChanged(gate({ status: 'expired', endReason: 'askerGone' })))).toEqual([
    '              ? no longer asked: asker gone',
  ])
})

test('a correction of what was already printed is printed whole, a continuation is not', () => {
  const outline = new Outline()
  const said = (item: unknown) => outline.outputAdded(says(item)).map(({ text }) => text)
  expect(said({ type: 'text', delta: 'one\ntwo' })).toEqual(['│ one'])
  expect(said({ type: 'textReplaced', text: 'one\ntwo and more\n' })).toEqual(['│ two and more'])
  expect(said({ type: 'textReplaced', text: 'uno\n' })).toEqual(['│ (it corrects itself:)', '│ uno'])
})

test('plans, warnings and retries have a line, usage and reasoning have none', () => {
  const outline = new Outline()
  const failure = { code: 'agent.unreachable', message: 'No answer.' }
  const items = [
    { type: 'plan', entries: [{ title: 'read', status: 'done' }, { title: 'write', status: 'inProgress' }] },
    { type: 'warning', text: 'old version' },
    { type: 'retrying', attempt: 2, max: 3, delayMs: 10, failure },
    { type: 'omitted', what: 'a long line', bytes: 9_000_000, sha256: null },
    { type: 'usage', usage: noUsage },
    { type: 'reasoning', delta: 'hmm' },
  ]
  expect(items.flatMap((item) => outline.outputAdded(says(item))).map(({ text }) => text)).toEqual([
    '[x] read', '[-] write', '! old version', '↻ No answer. Its own try 2.', '! left out: a long line, 9000000 bytes',
  ])
})

test('a plan and a tool have a line only for what is new of them', () => {
  const outline = new Outline()
  const plan = (first: string, second: string) =>
    says({ type: 'plan', entries: [{ title: 'read', status: first }, { title: 'write', status: second }] })
  const used = (status: string) => says({ type: 'tool', tool: { ...tool('README.md'), status } })
  const texts = [
    plan('inProgress', 'pending'), plan('done', 'pending'),
    used('running'), used('running'), used('denied'), used('denied'),
  ].flatMap((push) => outline.outputAdded(push).map(({ text }) => text))
  expect(texts).toEqual([
    '[-] read', '[ ] write', '[x] read', '+ read: README.md (running)', '+ read: README.md (denied)',
  ])
})

test('nothing that an agent says is obeyed by the terminal', () => {
  const outline = new Outline()
  const evil = '\u001b[2J\u001b]0;title\u0007red\u001b[31m\rover\u202eback\u0000\n'
  const texts = [
    ...outline.outputAdded(says({ type: 'text', delta: evil })),
    ...outline.outputAdded(says({ type: 'tool', tool: tool(evil) })),
    ...outline.gateChanged(gate({ title: evil, detail: evil, reason: evil })),
  ].map(({ text }) => text)
  expect(texts.join('')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/)
  expect(texts[0]).toBe('│ redoverback')
})

test('colour is for terminals that did not refuse it', () => {
  expect([
    wantsColour(true, {}), wantsColour(false, {}),
    wantsColour(true, { NO_COLOR: '1' }), wantsColour(true, { TERM: 'dumb' }),
  ]).toEqual([true, false, false, false])
  expect(paint({ sinceMs: 0, depth: 0, tone: 'good', text: 'done' }, true)).toContain('\u001b[32mdone')
})
