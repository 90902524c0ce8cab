import { useEffect, useRef, type RefObject } from 'react'

const marginPx = 12

/**
 * Scrolls a chart so that the state it is in can be seen whenever it moves on. Who has scrolled that state out of sight
 * is looking at something else, and is left there until it is in sight again; `always` is for who moves it themselves.
 */
export function useFollowed(chart: RefObject<HTMLElement | null>, state: string | undefined, always: boolean) {
  const isFollowing = useRef(true)
  const wasOpened = useRef(false)
  useEffect(() => {
    const box = scrollerOf(chart.current)
    const element = stateIn(chart.current, state)
    if (!box || !element) return undefined
    // what is opened begins at its top, unless only the chart itself would move
    const follows = isFollowing.current && (wasOpened.current || box === chart.current)
    if (always || follows) bringIntoSight(box, element)
    wasOpened.current = true
    const noted = () => {
      isFollowing.current = isInSight(box, element)
    }
    box.addEventListener('scroll', noted, { passive: true })
    return () => box.removeEventListener('scroll', noted)
  }, [chart, state, always])
}

const stateIn = (chart: HTMLElement | null, state: string | undefined) =>
  state === undefined ? null : (chart?.querySelector(`[data-id="${CSS.escape(state)}"]`) ?? null)

/** What scrolls up and down: the chart's own box where its height is bounded, else the panel that it stands in. */
const scrollerOf = (chart: HTMLElement | null): HTMLElement | null =>
  chart && getComputedStyle(chart).maxHeight !== 'none' ? chart : (chart?.closest<HTMLElement>('.scroll') ?? null)

function bringIntoSight(box: HTMLElement, element: Element) {
  const [outer, inner] = [box.getBoundingClientRect(), element.getBoundingClientRect()]
  const above = inner.top - marginPx - outer.top
  const below = inner.bottom + marginPx - outer.bottom
  if (above < 0) box.scrollTop += above
  else if (below > 0) box.scrollTop += below
}

function isInSight(box: HTMLElement, element: Element) {
  const [outer, inner] = [box.getBoundingClientRect(), element.getBoundingClientRect()]
  return inner.bottom > outer.top && inner.top < outer.bottom
}
