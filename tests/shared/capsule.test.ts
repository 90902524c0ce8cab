import { expect, test } from 'vitest'
import type { ToolNote } from '../../shared/agent-event.ts'
import { Capsule, makeCapsule } from '../../shared/capsule.ts'
import { capsuleEvidenceMax, capsuleMaxCharacters } from '../../shared/limits.ts'

const source = {
  attemptId: 'attempt:1',
  runId: 'run:1',
  round: 2,
  seat: 'careful',
  name: 'Careful',
  vote: { choice: 'agree', position: 'Use one table', changed: true, why: 'Enough' },
  text: ' Use one table, it is enough. ',
  tools: [],
} as const

const tool = (toolId: string, status: ToolNote['status'], title = 'Read the notes'): ToolNote => ({
  toolId,
  kind: 'read',
  title,
  status,
  detail: 'secret payload',
})

test('a capsule names its source and keeps conclusion and vote', () => {
  expect(makeCapsule(source)).toEqual({
    attemptId: 'attempt:1',
    runId: 'run:1',
    round: 2,
    seat: 'careful',
    name: 'Careful',
    choice: 'agree',
    position: 'Use one table',
    changed: true,
    conclusion: 'Use one table, it is enough.',
    evidence: [],
  })
})

test('a turn without a vote has a capsule without a position', () => {
  expect(makeCapsule({ ...source, vote: null })).toMatchObject({ choice: null, position: null, changed: false })
})

test('each tool is evidence once, by how it ended, and never by what it returned', () => {
  const { evidence } = makeCapsule({
    ...source,
    tools: [tool('a', 'running'), tool('b', 'denied', 'Run it'), tool('a', 'done')],
  })
  expect(evidence).toEqual(['Read the notes (done)', 'Run it (denied)'])
})

test('a long conclusion and much evidence both get room in one bounded capsule', () => {
  const tools = Array.from({ length: 40 }, (_, index) => tool(`t${index}`, 'done', `${index} ${'look '.repeat(60)}`))
  const capsule = makeCapsule({ ...source, text: `BEGIN ${'because '.repeat(5_000)} END`, tools })
  expect(Capsule.parse(capsule)).toEqual(capsule)
  expect(capsule.evidence).toHaveLength(capsuleEvidenceMax)
  expect(capsule.evidence.at(-1)).toMatch(/^39 look .*… \(done\)$/)
  expect(capsule.conclusion).toMatch(/^BEGIN [^]*left out[^]* END$/)
  const values = [
    capsule.attemptId,
    capsule.seat,
    capsule.name,
    capsule.position,
    capsule.conclusion,
    ...capsule.evidence,
  ]
  expect(values.join('').length).toBeLessThanOrEqual(capsuleMaxCharacters)
  expect(capsule.conclusion.length).toBeGreaterThan(capsuleMaxCharacters / 2)
})
