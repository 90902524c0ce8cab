import { describe, expect, test } from 'vitest'
import { checkCustomAgent } from '../../shared/check-custom-agent.ts'
import { CustomAgentDefinition, viewOfCustom } from '../../shared/custom-agent.ts'
import { customArgMaxCharacters, customArgsMax, customVariablesMax } from '../../shared/limits.ts'
import { looksSecret } from '../../shared/looks-secret.ts'

const definition: CustomAgentDefinition = {
  name: 'my-tool',
  file: '/opt/tools/my-tool',
  args: ['--model', 'claude-sonnet-4-5-20250929', '--max-tokens', '4000'],
  envNames: ['MY_TOOL_KEY'],
  speech: { transport: 'one-shot', output: { format: 'text' } },
}
const codeOf = (change: Partial<CustomAgentDefinition>) => {
  try {
    checkCustomAgent({ ...definition, ...change })
    return 'accepted'
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error
  }
}
const random = '9f8a7c6b5d4e3f2a1b0c9d8e7f6a5b4c'

test('a plain definition is accepted', () => {
  expect(codeOf({})).toBe('accepted')
})

test.each([
  ['a name with a capital', { name: 'MyTool' }, 'custom.name-bad'],
  ['a name that leads out', { name: '../x' }, 'custom.name-bad'],
  ['no name', { name: '' }, 'custom.name-bad'],
  ['a name that is too long', { name: 'a'.repeat(41) }, 'custom.name-bad'],
  ['a program by its name alone', { file: 'my-tool' }, 'custom.file-unusable'],
  ['a relative path', { file: './my-tool' }, 'custom.file-unusable'],
  ['a path with a line break', { file: '/opt/x\ny' }, 'custom.file-unusable'],
  ['a control character', { args: ['a\u0000b'] }, 'custom.arguments-bad'],
  ['an argument that is too long', { args: ['a b '.repeat(customArgMaxCharacters / 4 + 1)] }, 'custom.arguments-bad'],
  ['too many arguments', { args: Array.from({ length: customArgsMax + 1 }, () => 'x') }, 'custom.arguments-bad'],
  ['a key among the arguments', { args: ['--api-key', 'x'] }, 'custom.argument-secret'],
  ['a shell with a script', { file: '/bin/sh', args: ['-c', 'rm -r x'] }, 'custom.shell-script'],
  ['a shell behind another program', { file: '/usr/bin/env', args: ['bash', '-lc', 'x'] }, 'custom.shell-script'],
  ['a shell of Windows', { file: 'C:\\Windows\\cmd.exe', args: ['/C', 'x'] }, 'custom.shell-script'],
  ['a mark of the agent around us', { envNames: ['CLAUDECODE'] }, 'custom.variable-bad'],
  ['a variable that changes how programs start', { envNames: ['LD_PRELOAD'] }, 'custom.variable-bad'],
  ['a variable with its value', { envNames: ['KEY=value'] }, 'custom.variable-bad'],
  [
    'too many variables',
    { envNames: Array.from({ length: customVariablesMax + 1 }, (_, index) => `V${index}`) },
    'custom.variable-bad',
  ],
  [
    'a mode that is none',
    { speech: { transport: 'acp', modes: { readOnly: 'plan it', write: null } } },
    'custom.speech-bad',
  ],
  [
    'a field that is none',
    { speech: { transport: 'one-shot', output: { format: 'object', answerField: 'a..b', errorField: null } } },
    'custom.speech-bad',
  ],
] as const)('%s is refused', (_name, change, code) => {
  expect(codeOf(change as Partial<CustomAgentDefinition>)).toBe(code)
})

test('a shell that runs a file is a program like another', () => {
  expect(codeOf({ file: '/bin/bash', args: ['/opt/tools/agent.sh', '--config', '/c/x'] })).toBe('accepted')
})

describe('an argument', () => {
  test.each([
    '--api-key=abc', '--token', '-password', '--openai-key', '/token:x', 'API_KEY=abc', 'Authorization: Basic abc',
    'Bearer abc', 'sk-proj-abcdefghijklmnop', 'ghp_abcdefghijklmnop', 'AKIAABCDEFGHIJKLMNOP', 'eyJhbGciOiJI.eyJ',
    'https://me:pass@example.test/', '-----BEGIN PRIVATE KEY-----', random, `--x=${random}`, `x:${random}:y`,
    'a'.repeat(40),
  ])('like %s looks secret', (argument) => {
    expect(looksSecret(argument)).toBe(true)
  })

  test.each([
    'acp', '--stdio', '--max-tokens', '--keyboard', '--model=openai/gpt-5.1-codex-mini', '2026-11-30T12:00:00Z',
    '/opt/tools/some-long-folder-name/with/another-one/agent.js', 'https://example.test/v1?x=1', '--monkey',
    '550e8400-e29b-41d4-a716-446655440000', '--output-format', 'stream-json', '--tokenizer', '日本語',
  ])('like %s does not', (argument) => {
    expect(looksSecret(argument)).toBe(false)
  })
})

test('the window sees no path, no argument and no variable', () => {
  expect(viewOfCustom(definition)).toEqual({
    agent: 'custom:my-tool',
    name: 'my-tool',
    program: 'my-tool',
    argCount: 4,
    variableCount: 1,
    speech: { transport: 'one-shot', output: { format: 'text' } },
  })
})

test('a definition has no other fields', () => {
  expect(CustomAgentDefinition.safeParse({ ...definition, shell: true }).success).toBe(false)
})
