import { expect, test } from 'vitest'
import { shortcutOf, takesText, type Pressed } from '../../renderer/state/keys.ts'

const press = (key: string, more: Partial<Pressed> = {}): Pressed => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  isComposing: false,
  keyCode: 0,
  ...more,
})
const here = { mac: false, inText: false }

test.each([
  ['k', 'find'],
  ['n', 'create'],
  ['b', 'sidebar'],
  ['j', 'panel'],
  ['.', 'stop'],
  ['/', 'keys'],
] as const)('Ctrl %s is for the whole window, in a field too', (key, shortcut) => {
  expect(shortcutOf(press(key, { ctrlKey: true }), here)).toBe(shortcut)
  expect(shortcutOf(press(key, { ctrlKey: true }), { mac: false, inText: true })).toBe(shortcut)
})

test('on a Mac the command key takes the place of Ctrl', () => {
  expect(shortcutOf(press('k', { metaKey: true }), { mac: true, inText: false })).toBe('find')
  expect(shortcutOf(press('k', { ctrlKey: true }), { mac: true, inText: false })).toBeNull()
})

test('single letters act outside of text only', () => {
  expect(shortcutOf(press('g'), here)).toBe('gate')
  expect(shortcutOf(press('g'), { mac: false, inText: true })).toBeNull()
})

test.each([
  [press('k', { ctrlKey: true, isComposing: true })],
  [press('Escape', { isComposing: true })],
  [press('j', { keyCode: 229 })],
])('a key that an input method has taken does nothing', (pressed) => {
  expect(shortcutOf(pressed, here)).toBeNull()
})

test('Escape closes and F6 goes on, also from a field', () => {
  expect(shortcutOf(press('Escape'), { mac: false, inText: true })).toBe('close')
  expect(shortcutOf(press('F6'), { mac: false, inText: true })).toBe('region')
})

test('F6 goes back with Shift', () => {
  expect(shortcutOf(press('F6', { shiftKey: true }), here)).toBe('regionBefore')
})

test('a list of choices finds its entries by letters, so it takes text', () => {
  expect(takesText(document.createElement('select'))).toBe(true)
})

test('a check box takes no text, a field does', () => {
  const box = Object.assign(document.createElement('input'), { type: 'checkbox' })
  expect([
    takesText(box),
    takesText(document.createElement('input')),
    takesText(document.createElement('textarea')),
    takesText(null),
  ]).toEqual([false, true, true, false])
})
