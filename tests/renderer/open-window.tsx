import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { vi } from 'vitest'
import { App } from '../../renderer/app.tsx'
import { fakeBridge, type FakeBridge, type Scene } from '../window/fixtures/fake-bridge.ts'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

export interface OpenedWindow {
  bridge: FakeBridge
  /** The first element that a person would find by role and name, or by its text. */
  button: (name: string | RegExp) => HTMLElement
  all: (selector: string) => HTMLElement[]
  one: (selector: string) => HTMLElement
  text: () => string
  click: (element: HTMLElement) => Promise<void>
  key: (element: Element, key: string, more?: KeyboardEventInit) => Promise<void>
  type: (element: HTMLElement, value: string) => Promise<void>
  push: (envelopes: Parameters<FakeBridge['push']>[0]) => Promise<void>
  called: (name: string) => unknown[]
  /** Moves faked timers on. */
  later: (ms: number) => Promise<void>
  close: () => Promise<void>
}

/** Draws the whole window over recorded data, as main would feed it. */
export async function openWindow(scene: Scene | null, narrow = false): Promise<OpenedWindow> {
  const bridge = fakeBridge(structuredClone(scene ?? ({} as Scene)))
  Object.assign(window, {
    matchMedia: () => ({ matches: narrow, addEventListener: () => undefined, removeEventListener: () => undefined }),
  })
  const place = document.createElement('div')
  document.body.append(place)
  const root = createRoot(place)
  await act(async () => {
    root.render(<App bridge={scene ? bridge : null} />)
    await settled()
  })
  const doing = (does: () => void) =>
    act(async () => {
      does()
      await settled()
    })
  const all = (selector: string) => [...document.body.querySelectorAll<HTMLElement>(selector)]
  const one = (selector: string) => {
    const found = all(selector)[0]
    if (!found) throw new Error(`Nothing is drawn as ${selector}.`)
    return found
  }
  return {
    bridge,
    all,
    one,
    text: () => document.body.textContent,
    button: (name) => {
      const found = all('button, a, [role=option]').find((element) => matches(nameOf(element), name))
      if (!found) throw new Error(`No button is called ${String(name)}.`)
      return found
    },
    click: (element) => doing(() => element.click()),
    key: (element, key, more = {}) =>
      doing(() =>
        element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more })),
      ),
    type: (element, value) =>
      doing(() => {
        const prototype =
          element instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype
        Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(element, value)
        element.dispatchEvent(new Event('input', { bubbles: true }))
      }),
    push: (envelopes) => doing(() => bridge.push(envelopes)),
    called: (name) => bridge.calls.filter((call) => call.name === name).map(({ input }) => input),
    later: (ms) => doing(() => void vi.advanceTimersByTime(ms)),
    close: async () => {
      await act(async () => root.unmount())
      place.remove()
    },
  }
}

const nameOf = (element: HTMLElement) => (element.getAttribute('aria-label') ?? element.textContent).trim()
const matches = (name: string, wanted: string | RegExp) =>
  typeof wanted === 'string' ? name === wanted : wanted.test(name)

/** Lets answers of the bridge and what follows from them come in. */
async function settled() {
  for (let turn = 0; turn < 12; turn += 1) await Promise.resolve()
}
