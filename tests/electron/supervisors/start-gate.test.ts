import { expect, test } from 'vitest'
import { StartGate } from '../../../electron/supervisors/start-gate.ts'
import { AppError } from '../../../shared/errors.ts'

const never = new AbortController().signal
const loggedOut = () => new AppError('agent.unauthorized', 'Log in again.')
const steps = async () => {
  for (let step = 0; step < 20; step += 1) await Promise.resolve()
}

/** Starts that end when the test says so. */
const stage = () => {
  const begun: string[] = []
  const ends = new Map<string, PromiseWithResolvers<string>>()
  const start = (name: string) => () => {
    begun.push(name)
    const end = Promise.withResolvers<string>()
    ends.set(name, end)
    return end.promise
  }
  return {
    begun,
    start,
    end: (name: string) => ends.get(name)?.resolve(name),
    fail: (name: string, error: Error) => ends.get(name)?.reject(error),
  }
}

test('processes of one program start one after another, those of another beside them', async () => {
  const gate = new StartGate()
  const { begun, start, end } = stage()
  const all = [
    gate.through('codex', start('first'), never),
    gate.through('codex', start('second'), never),
    gate.through('claude', start('other'), never),
  ]
  await steps()
  expect(begun).toEqual(['first', 'other'])
  end('first')
  await steps()
  expect(begun).toEqual(['first', 'other', 'second'])
  end('second')
  end('other')
  expect(await Promise.all(all)).toEqual(['first', 'second', 'other'])
})

test('one that fails lets the next begin', async () => {
  const gate = new StartGate()
  const { begun, start, end, fail } = stage()
  const first = gate.through('codex', start('first'), never)
  const second = gate.through('codex', start('second'), never)
  await steps()
  fail('first', new Error('it broke'))
  await expect(first).rejects.toThrow('it broke')
  await steps()
  expect(begun).toEqual(['first', 'second'])
  end('second')
  expect(await second).toBe('second')
})

test('who is refused for its login while others start tries once more, behind them', async () => {
  const gate = new StartGate()
  const { begun, start, end, fail } = stage()
  const first = gate.through('codex', start('first'), never)
  const second = gate.through('codex', start('second'), never)
  await steps()
  fail('first', loggedOut())
  await steps()
  end('second')
  await steps()
  expect(begun).toEqual(['first', 'second', 'first'])
  fail('first', loggedOut())
  await expect(first).rejects.toMatchObject({ code: 'agent.unauthorized' })
  expect(await second).toBe('second')
})

test('who is refused for its login alone is refused', async () => {
  const gate = new StartGate()
  const { begun, start, fail } = stage()
  const alone = gate.through('codex', start('alone'), never)
  await steps()
  fail('alone', loggedOut())
  await expect(alone).rejects.toMatchObject({ code: 'agent.unauthorized' })
  expect(begun).toEqual(['alone'])
})

test('one that does not come to an end holds nobody up for long, nor one that is called off', async () => {
  const gate = new StartGate(1)
  const { start, end, begun } = stage()
  void gate.through('codex', start('stuck'), never)
  const second = gate.through('codex', start('second'), never)
  await expect.poll(() => begun).toContain('second')
  end('second')
  expect(await second).toBe('second')

  const patient = new StartGate()
  void patient.through('codex', start('stuck'), never)
  const off = new AbortController()
  const third = patient.through('codex', start('third'), off.signal)
  off.abort()
  await expect.poll(() => begun).toContain('third')
  end('third')
  expect(await third).toBe('third')
})
