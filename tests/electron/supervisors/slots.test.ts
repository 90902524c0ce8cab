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

test('a suspended slot is free for others, and comes back before those who have not begun', () => {
  const { granted, ask } = place(1)
  const first = ask('one')
  const second = ask('two')
  ask('three')
  first.suspend()
  expect(granted).toEqual(['one', 'two'])
  first.resume(() => granted.push('one again'))
  expect(granted).toEqual(['one', 'two'])
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

test('who writes and waits for an answer keeps its directory, and what lies in it', () => {
  const { granted, ask } = place(4)
  const writer = ask('writer', { writes: true, directory: '/a/b' })
  writer.suspend()
  ask('same', { writes: true, directory: '/a/b/' })
  ask('within', { writes: true, directory: '/a/b/c' })
  ask('around', { writes: true, directory: '/a' })
  ask('beside', { writes: true, directory: '/a/bc' })
  expect(granted).toEqual(['writer', 'beside'])
  writer.resume(() => granted.push('writer again'))
  expect(granted).toEqual(['writer', 'beside', 'writer again'])
  writer.release()
  expect(granted.at(-1)).toBe('same')
})

test('one that gives its slot back at once is granted it once, and those behind it too', () => {
  const granted: string[] = []
  let limit = 0
  const slots = new Slots(() => limit)
  const ask = (attemptId: string) => {
    const slot = slots.ask({ attemptId, directory: '/a', writes: false }, () => {
      granted.push(attemptId)
      slot.release()
    })
  }
  for (const attemptId of ['one', 'two', 'three']) ask(attemptId)
  limit = 1
  slots.review()
  expect(granted).toEqual(['one', 'two', 'three'])
})
