import { expect, test } from 'vitest'
import { linesOf } from '../../renderer/components/Trace.tsx'
import { causeWords, leafOf } from '../../renderer/components/cause.ts'
import { now, outputOf } from '../window/fixtures/parts.ts'

const tool = (status: 'running' | 'done') =>
  ({ type: 'tool', tool: { toolId: 't1', kind: 'read', title: 'Read a.ts', status, detail: null } }) as const

test('pieces of text in a row are one line, a tool is one line with its last status', () => {
  const rows = outputOf('a', [
    [now, { type: 'text', delta: 'One ' }],
    [now + 1, { type: 'text', delta: 'two.' }],
    [now + 2, tool('running')],
    [now + 3, { type: 'text', delta: 'Three' }],
    [now + 4, tool('done')],
    [now + 5, { type: 'text', delta: '.' }],
  ])
  expect(linesOf(rows).map(({ words, note }) => [words, note])).toEqual([
    ['wrote 8 characters', undefined],
    ['Read a.ts', 'done'],
    ['wrote 6 characters', undefined],
  ])
})

test('a cause is told in words: failures by their sentence, ids and times not at all', () => {
  expect(causeWords({ failure: { code: 'agent.silent' }, gateId: 'g1', at: 5, slot: 2, via: ['judging'] })).toBe(
    'The agent was silent for too long and was ended. · slot 2',
  )
  expect(causeWords({ decision: { optionId: 'once', effect: 'grant' } })).toBe('you said yes')
  expect(causeWords({ stop: 'completed', began: true, pid: 12, seat: 'claude' })).toBe(
    'it said what it had to say · process 12',
  )
  const vote = { choice: 'agree', position: 'Keep both.' }
  expect(causeWords({ vote, noVote: null, textLength: 1, denials: 0 })).toBe('agrees · “Keep both.” · 1 character')
})

test('a state value is named by its innermost state', () => {
  expect([leafOf('settling'), leafOf({ onFloor: { working: 'ending' } })]).toEqual(['settling', 'ending'])
})
