import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

const nearPx = 24

/** The class of what stands one below the other in the box, each in a place of its own. */
export const placeClass = 'run-place'

/** What is at the top of what the reader sees, and how far below the box's own top it begins. */
interface Held {
  element: Element
  y: number
}

/**
 * Keeps a scrolled box at its end while the reader is there, and elsewhere what they read where it is, whatever is put
 * in, drawn or left out above it.
 */
export function useAnchor() {
  const box = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  const held = useRef<Held | null>(null)
  /** Where the box was scrolled to last, by us or by the reader. */
  const top = useRef(0)
  const [away, setAway] = useState(false)

  const toEnd = useCallback(() => {
    const element = box.current
    if (!element) return
    atEnd.current = true
    element.scrollTop = element.scrollHeight
    top.current = element.scrollTop
    setAway(false)
  }, [])

  const settle = useCallback(() => {
    const element = box.current
    if (!element) return
    if (atEnd.current) element.scrollTop = element.scrollHeight
    else if (held.current?.element.isConnected) {
      const moved = below(element, held.current.element) - held.current.y
      if (Math.abs(moved) >= 1) element.scrollTop += moved
    }
    top.current = element.scrollTop
  }, [])

  useLayoutEffect(toEnd, [toEnd])
  useEffect(() => {
    const watcher = new ResizeObserver(settle)
    if (content.current) watcher.observe(content.current)
    if (box.current) watcher.observe(box.current)
    return () => watcher.disconnect()
  }, [settle])

  const scrolled = () => {
    const element = box.current
    if (!element) return
    const wentUp = element.scrollTop < top.current - 1
    top.current = element.scrollTop
    const isNear = element.scrollHeight - element.scrollTop - element.clientHeight <= nearPx
    // what grew since our own scrolling is not the reader's going away: only a way up is
    atEnd.current = isNear || (atEnd.current && !wentUp)
    setAway(!atEnd.current)
    held.current = heldIn(element, element.getElementsByClassName(placeClass))
  }
  return { box, content, away, atEnd, scrolled, toEnd }
}

/** The first of them that reaches into what is seen. */
function heldIn(box: Element, places: HTMLCollection): Held | null {
  const edge = box.getBoundingClientRect().top
  let [from, to] = [0, places.length - 1]
  while (from < to) {
    const middle = Math.floor((from + to) / 2)
    const isAbove = (places[middle]?.getBoundingClientRect().bottom ?? 0) <= edge
    if (isAbove) from = middle + 1
    else to = middle
  }
  const element = places[from]
  return element ? { element, y: below(box, element) } : null
}

const below = (box: Element, element: Element) => element.getBoundingClientRect().top - box.getBoundingClientRect().top
