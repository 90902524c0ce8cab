import { expect, test } from 'vitest'
import { replay } from '../../electron/supervisors/replay/replay.ts'
import type { FileEvent, RunFile } from '../../shared/run-file.ts'
import { recordedRun, recordedRuns } from '../fakes/recorded-runs.ts'
import { runStories } from '../fakes/run-stories.ts'

const promptsIn = ({ attempts }: RunFile) => attempts.flatMap(({ deliveries }) => deliveries)
const transitionsIn = ({ events, gates }: RunFile) => [...events, ...gates.flatMap((gate) => gate.events)]

test('the corpus holds every story that is told of a run', () => {
  expect(recordedRuns.toSorted()).toEqual(Object.keys(runStories).toSorted())
})

test.each(recordedRuns)('%s comes out as it was recorded, each transition and each prompt', async (name) => {
  const file = recordedRun(name)
  expect(await replay(file)).toEqual({
    events: transitionsIn(file).length,
    prompts: promptsIn(file).length,
    finding: null,
  })
})

test('the corpus holds every end that a run may come to on its own, and every kind of end of a gate', () => {
  const files = recordedRuns.map(recordedRun)
  expect(new Set(files.map(({ run }) => run.status))).toEqual(
    new Set(['agreed', 'completed', 'partial', 'roundsUp', 'failed', 'stopped', 'interrupted']),
  )
  expect(new Set(files.flatMap(({ gates }) => gates.map(({ record }) => record.status)))).toEqual(
    new Set(['applied', 'withdrawn']),
  )
})

/** A copy of a recorded run with something changed in it. */
const tampered = (name: string, change: (file: RunFile) => void): RunFile => {
  const file = recordedRun(name)
  change(file)
  return file
}

const eventOf = (file: RunFile, wanted: (event: FileEvent) => boolean): FileEvent => {
  const event = file.events.find(wanted)
  if (!event) throw new Error('there is no such event')
  return event
}

test('a transition that was changed is the first difference, with both sides of it', async () => {
  const file = tampered('agreed-in-two-rounds', ({ events }) => {
    Object.assign(events[20] ?? {}, { value: 'parked' })
  })
  const { events, finding } = await replay(file)
  expect(events).toBe(20)
  expect(finding).toMatchObject({
    what: 'state', seq: 21, rootId: file.run.runId, expected: { value: 'parked' },
    actual: { type: file.events[20]?.type, from: file.events[20]?.from },
  })
  expect(finding).not.toMatchObject({ actual: { value: 'parked' } })
})

test('a prompt that was changed is found by its line, after all that came before it was equal', async () => {
  const file = tampered('agreed-in-two-rounds', ({ attempts }) => {
    const sent = attempts[4]?.deliveries[0]
    if (sent) sent.prompt = sent.prompt.replace('Round: 2 of 6', 'Round: 3 of 6')
  })
  const result = await replay(file)
  expect(result.prompts).toBe(4)
  expect(result.finding).toMatchObject({
    what: 'prompt',
    deliveryId: file.attempts[4]?.deliveries[0]?.record.deliveryId,
    expected: '- Round: 3 of 6',
    actual: '- Round: 2 of 6',
  })
})

test('what an agent said is part of the later prompts: another word is a difference there', async () => {
  const file = tampered('agreed-in-two-rounds', ({ attempts }) => {
    if (attempts[0]) attempts[0].text = 'I never said so.'
  })
  const { finding } = await replay(file)
  expect(finding).toMatchObject({ what: 'prompt', actual: 'I never said so.' })
  expect(finding).toMatchObject({ deliveryId: file.attempts[1]?.deliveries[0]?.record.deliveryId })
})

test('a vote that was changed shows where the run would have gone another way', async () => {
  const file = tampered('agreed-in-two-rounds', ({ attempts }) => {
    const last = attempts.at(-1)
    if (last?.record.vote) last.record.vote = { ...last.record.vote, choice: 'continue' }
  })
  const { finding } = await replay(file)
  expect(finding).toMatchObject({
    what: 'state',
    expected: { machine: 'run', type: 'round.ended', value: { concluding: 'writing' } },
    actual: { machine: 'run', type: 'round.ended', value: { conferring: 'discussing' } },
  })
})

test('a fact that brings about nothing is a difference with nothing on the other side', async () => {
  const file = tampered('rounds-up', (one) => {
    const { actor, seq } = eventOf(one, ({ type }) => type === 'agent.started')
    Object.assign(one.events[seq - 1] ?? {}, { type: 'kill.expired', actor })
  })
  expect((await replay(file)).finding).toMatchObject({
    what: 'state', expected: { type: 'kill.expired' }, actual: null,
  })
})

test('an end that the charts did not come to is told as such', async () => {
  const file = tampered('rounds-up', ({ run }) => {
    run.status = 'agreed'
  })
  expect((await replay(file)).finding).toMatchObject({ what: 'end', expected: 'agreed', actual: 'roundsUp' })
})

test('a gate that went another way than its answers is found in its own history', async () => {
  const file = tampered('gates-allowed-and-denied', ({ gates }) => {
    Object.assign(gates[0]?.events.at(-1) ?? {}, { value: 'expired' })
  })
  expect((await replay(file)).finding).toMatchObject({
    what: 'state', rootId: file.gates[0]?.record.gateId, expected: { value: 'expired' }, actual: { value: 'applied' },
  })
})

test.each<[string, string, unknown, (file: RunFile) => void]>([
  ['otherVersion', 'another version of the charts', 0, (file) => void (file.version += 1)],
  ['eventsMissing', 'a gap', 6, ({ events }) => void events.splice(5, 1)],
  ['tableUnknown', 'a beginning that does not tell who sat where', 1, ({ events }) => {
    Object.assign(events[0] ?? {}, { cause: {} })
  }],
  ['causeOmitted', 'a cause that was too long to keep', 7, (file) => {
    Object.assign(eventOf(file, ({ type }) => type === 'agent.started').cause, { omitted: true })
  }],
  ['promptUnknown', 'a prompt that is not on record', 6, ({ attempts }) => void attempts[0]?.deliveries.splice(0)],
  ['textsReplaced', 'texts in which folders were replaced', 13, (file) => {
    file.replaced = 3
    if (file.attempts[1]?.deliveries[0]) file.attempts[1].deliveries[0].prompt += ' (path)'
  }],
  ['detailCompacted', 'tools that are not kept any more', 13, ({ attempts }) => {
    for (const attempt of attempts) attempt.output = attempt.output.filter(({ item }) => item.type !== 'tool')
  }],
])('%s: with %s it says that it cannot be replayed, never that it is equal', async (because, _what, seq, change) => {
  const { finding } = await replay(tampered('agreed-in-two-rounds', change))
  expect(finding).toMatchObject({ what: 'obstacle', because, seq })
})

test('a run that was ended without its chart cannot be replayed beyond what was recorded', async () => {
  const file = tampered('closed-while-speaking', ({ events, run }) => {
    const from = events.findIndex(({ type }) => type === 'run.interrupt')
    events.splice(from)
    run.status = 'interrupted'
  })
  expect((await replay(file)).finding).toMatchObject({ what: 'obstacle', because: 'endedOutside' })
  file.events = []
  expect(await replay(file)).toMatchObject({ events: 0, finding: { because: 'endedOutside', seq: 1 } })
})
