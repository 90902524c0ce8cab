import { useEffect } from 'react'

const focusable =
  'button:not(:disabled), a[href], input:not(:disabled), textarea:not(:disabled), select:not(:disabled), [tabindex]'

/**
 * Keeps the focus in the window. When what has it goes (a card that was answered, a menu, a drawer, a renamed line), it
 * moves to the nearest thing around that is still there, so that the keyboard never has to start again at the top.
 */
export function useKeptFocus() {
  useEffect(() => {
    let around: HTMLElement[] = []
    // Enter that is still down would press what gets the focus
    let isEntering = false
    const noted = (event: FocusEvent) => {
      if (event.target instanceof HTMLElement) around = aroundOf(event.target)
    }
    const mend = () => {
      if (isEntering || around.length === 0 || !isLost() || around[0]?.isConnected) return
      const next = nearest(around.filter((element) => element.isConnected))
      around = []
      next?.focus({ preventScroll: true })
    }
    const pressed = (event: KeyboardEvent) => {
      isEntering = event.type === 'keydown' && event.key === 'Enter'
      if (!isEntering) mend()
    }
    const watcher = new MutationObserver(mend)
    watcher.observe(document.body, { childList: true, subtree: true })
    document.addEventListener('focusin', noted)
    document.addEventListener('keydown', pressed, true)
    document.addEventListener('keyup', pressed, true)
    return () => {
      watcher.disconnect()
      document.removeEventListener('focusin', noted)
      document.removeEventListener('keydown', pressed, true)
      document.removeEventListener('keyup', pressed, true)
    }
  }, [])
}

const isLost = () => document.activeElement === null || document.activeElement === document.body

/** An element and all that it stands in, the innermost first. */
const aroundOf = (element: HTMLElement): HTMLElement[] =>
  element.parentElement ? [element, ...aroundOf(element.parentElement)] : [element]

/** What is closest to where the focus was: in the same box what opened it, else its first control, else its region. */
function nearest(boxes: readonly HTMLElement[]): HTMLElement | undefined {
  for (const box of boxes.filter((one) => one.closest('[data-region]') !== null)) {
    if (box.matches('[data-region]')) return box
    const found = box.querySelector<HTMLElement>('[aria-expanded]') ?? box.querySelector<HTMLElement>(focusable)
    if (found) return found
  }
  const places = ['main [data-list][data-region]', 'main[data-region], main [data-region]', '[data-region]']
  return places.flatMap((selector) => document.querySelector<HTMLElement>(selector) ?? [])[0]
}
