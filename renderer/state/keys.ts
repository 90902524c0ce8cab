/** What a key does in the whole window; `null` where it does nothing. */
export type Shortcut =
  | 'find'
  | 'create'
  | 'sidebar'
  | 'panel'
  | 'stop'
  | 'keys'
  | 'region'
  | 'regionBefore'
  | 'gate'
  | 'next'
  | 'previous'
  | 'close'

export interface Pressed {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
  isComposing: boolean
  keyCode: number
}

/** Reads a key press. Letters act only outside text; an input method that composes always wins. */
export function shortcutOf(pressed: Pressed, { mac, inText }: { mac: boolean; inText: boolean }): Shortcut | null {
  if (composes(pressed) || pressed.altKey) return null
  const command = mac ? pressed.metaKey : pressed.ctrlKey
  if (command) return pressed.shiftKey ? null : (withCommand[pressed.key.toLowerCase()] ?? null)
  if (pressed.ctrlKey || pressed.metaKey) return null
  if (pressed.key === 'F6') return pressed.shiftKey ? 'regionBefore' : 'region'
  if (pressed.key === 'Escape') return 'close'
  return inText || pressed.shiftKey ? null : (alone[pressed.key.toLowerCase()] ?? null)
}

/** Whether an input method is in the middle of a word; then no key is ours. */
export const composes = ({ isComposing, keyCode }: Pick<Pressed, 'isComposing' | 'keyCode'>) =>
  isComposing || keyCode === composingKeyCode

// what browsers report for keys an input method has taken, also where `isComposing` comes too late
const composingKeyCode = 229

const withCommand: Readonly<Record<string, Shortcut>> = {
  k: 'find',
  n: 'create',
  b: 'sidebar',
  j: 'panel',
  '.': 'stop',
  '/': 'keys',
}

const alone: Readonly<Record<string, Shortcut>> = { g: 'gate', j: 'next', k: 'previous' }

/** Whether what has the focus takes text; a list of choices finds its entries by their letters. */
export const takesText = (element: Element | null) =>
  element instanceof HTMLTextAreaElement ||
  element instanceof HTMLSelectElement ||
  (element instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'range'].includes(element.type)) ||
  (element instanceof HTMLElement && element.isContentEditable)

export const onMac = () => navigator.platform.toLowerCase().includes('mac')

/** A chord as this computer writes it. */
export const chord = (key: string) => `${onMac() ? 'Cmd' : 'Ctrl'} ${key}`
