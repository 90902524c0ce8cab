import { expect, test } from 'vitest'
import { help, readSwitches } from '../../../electron/start/switches.ts'
import { agentIds } from '../../../shared/agent.ts'
import { topicMaxCharacters } from '../../../shared/limits.ts'

const open = {
  task: 'open', shell: null, data: null, json: false, fetchElectron: false, gates: null,
  wish: { topic: null, agents: null, rounds: null, blindFirst: false, workdir: null, allowWrite: false },
}

test('without switches the best shell of this computer is opened', () => {
  expect(readSwitches([])).toEqual(open)
})

test('a whole discussion can be asked for', () => {
  const line =
    '--shell=terminal --data=/d --topic=T --agents=rehearsal:bold,codex --rounds=4 --gates=allow --json '
    + '--blind-first --workdir=/w --write'
  expect(readSwitches(line.split(' '))).toEqual({
    ...open, shell: 'terminal', data: '/d', json: true, gates: 'allow',
    wish: {
      topic: 'T', agents: ['rehearsal:bold', 'codex'], rounds: 4, blindFirst: true, workdir: '/w', allowWrite: true,
    },
  })
})

test('a value may follow its switch as a word of its own', () => {
  expect(readSwitches(['--topic', 'Tabs or spaces?', '--rounds', '2'])).toMatchObject({
    shell: 'terminal', wish: { topic: 'Tabs or spaces?', rounds: 2 },
  })
})

test('--inspect asks for nothing but a look', () => {
  expect(readSwitches(['--inspect', '--json', '--data=/d'])).toEqual({ task: 'inspect', data: '/d', json: true })
  expect(readSwitches(['--shell=terminal', '--inspect'])).toEqual({ task: 'inspect', data: null, json: false })
})

test('--export asks for one run as a file, and nothing else', () => {
  expect(readSwitches(['--export=run_1', '--data=/d'])).toEqual({
    task: 'export', runId: 'run_1', data: '/d', json: false,
  })
})

test('--help wins over everything else and names every agent and switch', () => {
  expect(readSwitches(['--help', '--rounds=many'])).toEqual({ task: 'help' })
  const words = [...agentIds, '--gates', '--inspect', '--data', '--json', '--fetch-electron']
  expect(words.filter((word) => !help.includes(word))).toEqual([])
})

test.each([
  [['--rounds=0'], '--rounds is a whole number from 1 to 10.'],
  [['--rounds=11'], '--rounds is a whole number from 1 to 10.'],
  [['--rounds=2.5'], '--rounds is a whole number from 1 to 10.'],
  [['--rounds=0x3'], '--rounds is a whole number from 1 to 10.'],
  [['--rounds= 3'], '--rounds is a whole number from 1 to 10.'],
  [['--rounds=1e0'], '--rounds is a whole number from 1 to 10.'],
  [['--rounds=many'], '--rounds is a whole number from 1 to 10.'],
  [['--agents=rehearsal:bold'], 'A discussion needs at least two agents.'],
  [['--agents=rehearsal:bold,rehearsal:bold'], 'Each agent can sit at the table once.'],
  [['--agents=rehearsal:bold,nobody'], 'There is no agent "nobody".'],
  [['--gates=perhaps'], '--gates is one of allow, deny, ask.'],
  [['--shell=web'], '--shell is one of electron, chromium, terminal.'],
  [['--topic='], '--topic needs a value.'],
  [['--topic=   '], '--topic needs a value.'],
  [['--data='], '--data needs a value.'],
  [[`--topic=${'x'.repeat(topicMaxCharacters + 1)}`], 'The topic is too long'],
  [['--shell=chromium', '--topic=T'], '--topic belongs to the terminal view'],
  [['--inspect', '--topic=T'], '--inspect only looks at what is stored; --topic does not go with it.'],
  [['--export=run_1', '--topic=T'], '--export only saves what is stored; --topic does not go with it.'],
  [['--export=No Id'], '--export needs the id of a run'],
  [['--colour'], 'Unknown option'],
  [['--json=yes'], 'does not take an argument'],
  [['a', 'stray', 'word'], 'Unexpected argument'],
  [['--topic', '-x'], "Option '--topic' argument is ambiguous. See --help."],
  [['--bo\ngus'], "Unknown option '--bo gus'. See --help."],
])('%j is bad usage, said in one sentence', (args, sentence) => {
  expect(() => readSwitches(args)).toThrow(
    expect.objectContaining({ code: 'usage.bad', message: expect.stringContaining(sentence) }),
  )
  const oneSentence = expect.stringMatching(/^[^\n]+[^.]\.$/)
  expect(() => readSwitches(args)).toThrow(expect.objectContaining({ message: oneSentence }))
})
