import { expect, test } from 'vitest'
import { caseTitles } from './agents/cases.ts'
import { agentPackages } from './agents/install.ts'
import { markdownOf, merge, worseThan, type Table } from './agents/table.ts'

const day = '2026-11-30'
const verdictOf = (table: Table, name: keyof typeof caseTitles) =>
  table.codex?.cases.find((each) => each.name === caseTitles[name])?.verdict

const known = merge({}, { codex: { found: 'passed', answers: 'passed', image: 'failed' } }, day)

test('a run keeps what was known of cases and agents that it did not try', () => {
  const now = merge(known, { codex: { image: 'passed' }, kimi: { found: 'passed' } }, '2026-12-01')
  expect([verdictOf(now, 'found'), verdictOf(now, 'image'), verdictOf(now, 'stop')]).toEqual([
    'passed',
    'passed',
    'notTried',
  ])
  expect(now.codex?.on).toBe('2026-12-01')
  expect(merge(now, { kimi: { found: 'passed' } }, day).codex).toEqual(now.codex)
})

test('what was tried on another version says nothing of this one', () => {
  const old: Table = { codex: { ...known.codex, version: '0.1.0', on: day, cases: known.codex?.cases ?? [] } }
  const now = merge(old, { codex: { found: 'passed' } }, day)
  expect(now.codex?.version).toBe(agentPackages.codex.version)
  expect(verdictOf(now, 'answers')).toBe('notTried')
})

test('a verdict that is worse than it was is named, and a better one is not', () => {
  expect(worseThan(known, merge(known, { codex: { answers: 'failed', image: 'passed' } }, day))).toEqual([
    'codex answers a turn: failed, and was passed',
  ])
  expect(worseThan(known, merge(known, { codex: { found: 'notOffered' } }, day))).toEqual([
    'codex is found with its version: notOffered, and was passed',
  ])
})

test('the table has a row for each case and a column for each agent that was tried', () => {
  const lines = markdownOf(known).split('\n')
  expect(lines[0]).toBe('|  | codex |')
  expect(lines).toContain(`| version | ${agentPackages.codex.version} |`)
  expect(lines).toContain('| is found with its version | yes |')
  expect(lines).toContain('| is shown an image | **no** |')
  expect(lines).toHaveLength(3 + Object.keys(caseTitles).length)
})
