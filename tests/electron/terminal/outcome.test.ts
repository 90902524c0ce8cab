import { expect, test } from 'vitest'
import { optionBy, optionByNumber } from '../../../electron/shells/terminal/gate-policy.ts'
import { Interrupts } from '../../../electron/shells/terminal/interrupts.ts'
import { exitCodeOf, outcomeLines, outcomeOf } from '../../../electron/shells/terminal/outcome.ts'
import { repeatedSignalMs } from '../../../shared/limits.ts'
import { RunStatus } from '../../../shared/run.ts'
import { agree, gate, recordOf, run, turn } from './records.ts'

const disagree = { ...agree, choice: 'continue', position: 'Spaces' } as const

const decision = { optionId: 'allow', effect: 'grant', name: 'allowOnce', note: null, position: null, at: 1 } as const
const ended = {
  gates: [gate({ status: 'applied', decision }), gate({ gateId: 'gate/2', status: 'expired', endReason: 'askerGone' })],
  run: run({ status: 'roundsUp' }),
  turns: [
    recordOf(turn('rehearsal:bold', { status: 'completed', vote: disagree })),
    recordOf(turn('rehearsal:careful', { status: 'timedOut', noVote: 'missing' })),
    recordOf(turn('rehearsal:bold', { status: 'completed', vote: agree, round: 2 })),
  ],
}

test('the outcome lists every attempt by round with its vote and position, and every gate with its end', () => {
  expect(outcomeOf(ended)).toEqual({
    runId: 'run/1',
    status: 'roundsUp',
    rounds: [
      {
        round: 1,
        attempts: [
          { agent: 'rehearsal:bold', status: 'completed', vote: 'continue', position: 'Spaces' },
          { agent: 'rehearsal:careful', status: 'timedOut', vote: null, position: null },
        ],
      },
      { round: 2, attempts: [{ agent: 'rehearsal:bold', status: 'completed', vote: 'agree', position: 'Tabs it is' }] },
    ],
    gates: [
      {
        gateId: 'gate/1', asker: 'attempt/rehearsal:careful/1', kind: 'permission', status: 'applied', reason: null,
        answer: 'allowOnce',
      },
      {
        gateId: 'gate/2', asker: 'attempt/rehearsal:careful/1', kind: 'permission', status: 'expired',
        reason: 'askerGone', answer: null,
      },
    ],
  })
})

test('a person reads how it ended and where each agent stands last', () => {
  expect(outcomeLines(ended)).toEqual([
    '', 'The rounds are up and they do not agree.',
    '  Bold: agrees, changed its mind: “Tabs it is”', '  Careful: no vote (missing)',
  ])
})

test('only a failed run and an interrupted one end with a code of their own', () => {
  const codes = RunStatus.options.map((status) => [status, exitCodeOf(status)])
  expect(codes.filter(([, code]) => code !== 0)).toEqual([['failed', 1], ['interrupted', 3]])
})

test('a policy takes the plain option of its kind', () => {
  expect([optionBy('allow', gate())?.optionId, optionBy('deny', gate())?.optionId]).toEqual(['allow', 'deny'])
  expect(optionBy('allow', { options: gate().options.slice(1) })).toBeNull()
  expect(optionBy('deny', { options: gate().options.slice(0, 2) })?.optionId).toBe('deny-with-note')
})

test('a person answers by the number of an option and by nothing else', () => {
  const typed = [' 1 ', '3', '0', '4', '', '1.0', 'yes', '-1']
  const read = typed.map((text) => optionByNumber(text, gate())?.optionId ?? null)
  expect(read).toEqual(['allow', 'deny', null, null, null, null, null, null])
})

test('one Ctrl+C that arrives twice is one wish, a later one is another', () => {
  let now = 0
  const interrupts = new Interrupts(() => now)
  const heard: string[] = []
  interrupts.take((interrupt) => heard.push(interrupt))
  interrupts.signal()
  now += repeatedSignalMs - 1
  interrupts.signal()
  expect(heard).toEqual(['person'])
  now += repeatedSignalMs
  interrupts.signal()
  interrupts.interrupt('system')
  expect(heard).toEqual(['person', 'person', 'system'])
})

test('only the newest listener is interrupted, until it leaves', () => {
  const interrupts = new Interrupts()
  const heard: string[] = []
  interrupts.take(() => heard.push('outer'))
  const leave = interrupts.take(() => heard.push('inner'))
  interrupts.interrupt('system')
  leave()
  interrupts.interrupt('system')
  expect(heard).toEqual(['inner', 'outer'])
})
