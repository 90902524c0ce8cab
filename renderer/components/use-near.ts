import { createContext, useCallback, useContext, useEffect, useMemo, useRef, useState, type RefObject } from 'react'

/** How far beyond what is seen, in heights of the box, things are drawn. */
const marginHeights = 1.5

type Hear = (entry: IntersectionObserverEntry) => void

/** Watches what comes near to what is seen of a scrolled box, and what goes away from it. */
export function useNearness(box: RefObject<HTMLElement | null>) {
  const hearers = useRef(new Map<Element, Hear>())
  const observer = useRef<IntersectionObserver | null>(null)
  useEffect(() => {
    observer.current = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) hearers.current.get(entry.target)?.(entry)
      },
      { root: box.current, rootMargin: `${marginHeights * 100}% 0px` },
    )
    for (const element of hearers.current.keys()) observer.current.observe(element)
    return () => observer.current?.disconnect()
  }, [box])
  const watch = useCallback((element: Element, hear: Hear) => {
    hearers.current.set(element, hear)
    observer.current?.observe(element)
    return () => {
      hearers.current.delete(element)
      observer.current?.unobserve(element)
    }
  }, [])
  return useMemo(() => ({ watch }), [watch])
}

export type Nearness = ReturnType<typeof useNearness>

/**
 * Whether an element is to be drawn, and which height keeps its place while it is not. It is drawn until it was
 * measured, and while it holds the focus or a selection.
 */
export function useNear({ watch }: Nearness) {
  const place = useRef<HTMLDivElement>(null)
  const [height, setHeight] = useState<number | null>(null)
  useEffect(() => {
    const element = place.current
    if (!element) return undefined
    return watch(element, ({ isIntersecting, boundingClientRect }) => {
      if (isIntersecting) setHeight(null)
      else if (boundingClientRect.height > 0 && !isInUse(element)) setHeight(boundingClientRect.height)
    })
  }, [watch])
  return { place, height }
}

const isInUse = (element: Element) => {
  const selection = document.getSelection()
  return element.contains(document.activeElement) || (!selection?.isCollapsed && selection?.containsNode(element, true))
}

/** What the person opened and folded, for the parts that are taken away while they are far from what is seen. */
export const Remembered = createContext<Map<string, boolean> | null>(null)

/** A choice of the person that outlives its part; `null` while there is none. */
export function useRemembered(key: string): [boolean | null, (choice: boolean) => void] {
  const memory = useContext(Remembered)
  const [chosen, setChosen] = useState(() => memory?.get(key) ?? null)
  const choose = (choice: boolean) => {
    memory?.set(key, choice)
    setChosen(choice)
  }
  return [chosen, choose]
}
