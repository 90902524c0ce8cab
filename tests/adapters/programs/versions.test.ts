import { expect, test } from 'vitest'
import { isInRange } from '../../../adapters/programs/node-range.ts'
import { judgeVersion, readVersion } from '../../../adapters/programs/versions.ts'

test.each([
  ['2.1.332 (Claude Code)', /\(Claude Code\)/, '2.1.332'],
  ['codex-cli 0.171.0', /^codex(?:-cli)? /, '0.171.0'],
  ["GitHub Copilot CLI 1.0.102.\nRun 'copilot update' to check for updates.", /^GitHub Copilot CLI/, '1.0.102'],
  ['OpenClaw 2026.9.6 (eb377ac)', /^OpenClaw/, '2026.9.6'],
  ['\x1b[33mUpdate 9.9.9 is there\x1b[0m\r\n\x1b[1mQuill\x1b[0m v1.2.3-rc.1\n', /^Quill/, '1.2.3-rc.1'],
  ['1.18.33\n', 'bare', '1.18.33'],
  ['node 20.1.0\nv0.24.4\n', 'bare', '0.24.4'],
  ['Quill writes', /^Quill/, null],
  ['quill 1.2.3', /^Quill/, null],
  ['about 1.2.3 things', 'bare', null],
  ['', 'bare', null],
] as const)('%j is read for its version', (printed, names, version) => {
  expect(readVersion(printed, names)).toBe(version)
})

test.each([
  ['0.99.9', 'too-old'],
  ['0.100.0', 'fits'],
  ['2.0.5', 'fits'],
  ['2.1.0', 'too-new'],
  ['1.0.0-beta.1', 'prerelease'],
  ['1.0.0-beta.2', 'fits'],
] as const)('%s %s between 0.100 and 2.0, both included', (version, verdict) => {
  expect(judgeVersion(version, { oldest: [0, 100], newest: [2, 0], prereleases: ['1.0.0-beta.2'] })).toBe(verdict)
})

test.each([
  ['22.19.0', '>=22.19.0', true],
  ['22.18.9', '>=22.19.0', false],
  ['24.16.0', '>=24.16.0 <25 || >=26.1.0', true],
  ['25.0.0', '>=24.16.0 <25 || >=26.1.0', false],
  ['26.1.0', '>=24.16.0 <25 || >=26.1.0', true],
  ['20.9.1', '^20.9', true],
  ['21.0.0', '^20.9', false],
  ['20.9.9', '~20.9.1', true],
  ['20.10.0', '~20.9.1', false],
  ['18.3.0', '18.x', true],
  ['19.0.0', '18.x || 20.x', false],
  ['20.0.0', '18 - 20', true],
  ['20.0.0', '>= 18', true],
  ['20.0.0', '*', true],
  ['20.0.0', 'lts/*', null],
])('Node %s for %s: %s', (version, range, verdict) => {
  expect(isInRange(version, range)).toBe(verdict)
})
