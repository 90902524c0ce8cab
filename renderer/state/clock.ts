import { createContext, useContext, useSyncExternalStore } from 'react'

const tickMs = 1_000
const hearers = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let shown = Date.now()

/** The time that a part of the window shows as if it were now; `null` in the present. */
export const ShownMoment = createContext<number | null>(null)

/** The time, told anew each second to all who show one. */
export const useNow = () => {
  const moment = useContext(ShownMoment)
  return useSyncExternalStore(moment === null ? subscribe : standStill, () => moment ?? shown)
}

const standStill = () => () => undefined

function subscribe(hear: () => void) {
  hearers.add(hear)
  timer ??= setInterval(tick, tickMs)
  if (hearers.size === 1) shown = Date.now()
  return () => {
    hearers.delete(hear)
    if (hearers.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function tick() {
  shown = Date.now()
  for (const hear of hearers) hear()
}
