import { expect, test } from 'vitest'
import { readRun } from '../../../electron/run-files/run-files.ts'
import { runFileMaxBytes } from '../../../shared/limits.ts'
import type { RunFile } from '../../../shared/run-file.ts'
import { recordedRun, textOfRun } from '../../fakes/recorded-runs.ts'

const name = 'gates-allowed-and-denied'

const changed = (change: (file: RunFile) => void): string => {
  const file = recordedRun(name)
  change(file)
  return JSON.stringify(file)
}

test.each<[string, string, string]>([
  ['nothing', '', 'run-file.not-one'],
  ['a picture', '\u0089PNG', 'run-file.not-one'],
  ['another document', '{"format":"something"}', 'run-file.not-one'],
  ['a list', '[]', 'run-file.not-one'],
  ['a file of a later Parley', textOfRun(name).replace('"schemaVersion": 1', '"schemaVersion": 2'), 'run-file.newer'],
  ['the first half of a file', textOfRun(name).slice(0, 20_000), 'run-file.not-one'],
  ['a file without its turns', changed((file) => Reflect.deleteProperty(file, 'attempts')), 'run-file.damaged'],
  ['a prompt that is not what was sent', changed(({ attempts }) => {
    if (attempts[0]?.deliveries[0]) attempts[0].deliveries[0].prompt += '!'
  }), 'run-file.damaged'],
  ['a turn of another run', changed(({ attempts }) => {
    if (attempts[0]) attempts[0].record.attemptId = 'run_other/1/bold/1'
  }), 'run-file.damaged'],
  ['a gate of another run', changed(({ gates }) => {
    if (gates[0]) gates[0].record.asker.runId = 'run_other'
  }), 'run-file.damaged'],
  ['a gate that still waits', changed(({ gates }) => {
    Object.assign(gates[0]?.record ?? {}, { status: 'waiting' })
  }), 'run-file.damaged'],
  ['a run that still goes on', changed(({ run }) => Object.assign(run, { status: 'running' })), 'run-file.damaged'],
  ['events of another run', changed(({ events }) => {
    if (events[3]) events[3].actor = 'run_other'
  }), 'run-file.damaged'],
  ['events out of their order', changed(({ events }) => void events.push(...events.splice(0, 1))), 'run-file.damaged'],
  ['too much', ' '.repeat(runFileMaxBytes + 1), 'run-file.too-large'],
])('%s is refused with %j', (_what, text, code) => {
  expect(() => readRun(text)).toThrow(expect.objectContaining({ code }))
})

test('what a file holds beside what it may hold is not taken', () => {
  const text = changed((file) => {
    Object.assign(file, { env: { KEY: 'x' } })
    Object.assign(file.run, { workdir: 'x', conversationId: 'c' })
    Object.assign(file.conversation, { workdir: 'x' })
  })
  const { file } = readRun(text)
  expect(Object.keys(file)).not.toContain('env')
  expect(Object.keys(file.run)).not.toContain('conversationId')
  expect(Object.keys(file.conversation)).toEqual(['kind', 'name', 'members'])
})
