import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

const nearPx = 24

/** Keeps a scrolled box at its end while the reader is there, and where it was when something is put in above. */
export function useAnchor() {
  const box = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  const heightBefore = useRef<number | null>(null)
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
    if (heightBefore.current !== null && element.scrollHeight > heightBefore.current) {
      element.scrollTop += element.scrollHeight - heightBefore.current
      heightBefore.current = null
    } else if (atEnd.current) element.scrollTop = element.scrollHeight
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
  }
  /** Remembers the height, so that what is put in above does not move what is read. */
  const keep = () => {
    heightBefore.current = box.current?.scrollHeight ?? null
  }
  /** Nothing was put in after all. */
  const kept = () => {
    heightBefore.current = null
  }
  return { box, content, away, atEnd, scrolled, toEnd, keep, kept }
}
