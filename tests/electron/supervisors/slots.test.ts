import { expect, test } from 'vitest'
import { Slots } from '../../../electron/supervisors/slots.ts'

const place = (limit: number) => {
  const granted: string[] = []
  const slots = new Slots(() => limit)
  const ask = (attemptId: string, { directory = '/a', writes = false } = {}) =>
    slots.ask({ attemptId, directory, writes }, () => granted.push(attemptId))
  return { slots, granted, ask }
}

test('slots are handed out first in, first out, up to the limit', () => {
  const { slots, granted, ask } = place(2)
  const first = ask('one')
  ask('two')
  ask('three')
  ask('four')
  expect(granted).toEqual(['one', 'two'])
  expect(slots.waiting).toEqual(['three', 'four'])
  first.release()
  expect(granted).toEqual(['one', 'two', 'three'])
})

test('only one attempt writes in a directory, and who waits for it holds up nobody behind', () => {
  const { granted, ask } = place(4)
  const writer = ask('writer', { writes: true })
  ask('second writer', { writes: true })
  ask('reader')
  ask('writer elsewhere', { writes: true, directory: '/b' })
  expect(granted).toEqual(['writer', 'reader', 'writer elsewhere'])
  writer.release()
  expect(granted.at(-1)).toBe('second writer')
})

test('a suspended slot is free for others, and is asked for again in its turn', () => {
  const { granted, ask } = place(1)
  const first = ask('one')
  const second = ask('two')
  first.suspend()
  expect(granted).toEqual(['one', 'two'])
  first.resume(() => granted.push('one again'))
  expect(granted).toEqual(['one', 'two'])
  second.release()
  expect(granted).toEqual(['one', 'two', 'one again'])
})

test('giving a slot back twice, or leaving the queue, frees no more than one place', () => {
  const { granted, ask } = place(1)
  const first = ask('one')
  const second = ask('two')
  ask('three')
  second.release()
  first.release()
  first.release()
  ask('four')
  expect(granted).toEqual(['one', 'three'])
})
