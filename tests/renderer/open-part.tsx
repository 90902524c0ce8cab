import { act, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { Session } from '../../renderer/state/session.ts'
import { SessionContext } from '../../renderer/state/use-session.ts'
import { fakeBridge, type FakeBridge, type Scene } from '../window/fixtures/fake-bridge.ts'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

export interface OpenedPart {
  bridge: FakeBridge
  text: () => string
  /** The button of that name; `null` where there is none. */
  button: (name: string) => HTMLButtonElement | null
  click: (name: string) => Promise<void>
  one: (selector: string) => HTMLElement | null
  push: (envelopes: Parameters<FakeBridge['push']>[0]) => Promise<void>
  called: (name: string) => unknown[]
  close: () => Promise<void>
}

/** Draws one part of the window over recorded data, with a session of its own. */
export async function openPart(scene: Scene, part: ReactNode): Promise<OpenedPart> {
  const bridge = fakeBridge(structuredClone(scene))
  const session = new Session(bridge)
  const stop = session.start()
  await act(settled)
  const place = document.createElement('div')
  document.body.append(place)
  const root = createRoot(place)
  const doing = (does: () => void) =>
    act(async () => {
      does()
      await settled()
    })
  await doing(() => root.render(<SessionContext value={session}>{part}</SessionContext>))
  const button = (name: string) =>
    [...place.querySelectorAll('button')].find(
      (each) => (each.getAttribute('aria-label') ?? each.textContent).trim() === name,
    ) ?? null
  return {
    bridge,
    button,
    text: () => place.textContent,
    one: (selector) => place.querySelector<HTMLElement>(selector),
    click: (name) =>
      doing(() => {
        const found = button(name)
        if (!found) throw new Error(`No button is called ${name}.`)
        found.click()
      }),
    push: (envelopes) => doing(() => bridge.push(envelopes)),
    called: (name) => bridge.calls.filter((call) => call.name === name).map(({ input }) => input),
    close: async () => {
      await act(async () => root.unmount())
      stop()
      place.remove()
    },
  }
}

/** Lets answers of the bridge and what follows from them come in. */
async function settled() {
  for (let turn = 0; turn < 12; turn += 1) await Promise.resolve()
}
