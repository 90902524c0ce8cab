import { useEffect, useRef } from 'react'
import { takesText } from '../state/keys.ts'
import type { Looking } from './use-looking.ts'

/** The keys that step through a run, as long as it is looked at. */
export function usePastKeys(looking: Looking) {
  const newest = useRef(looking)
  useEffect(() => {
    newest.current = looking
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (pressed(event, newest.current)) event.preventDefault()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}

/** Arrows step from everywhere but where they have a meaning of their own; the other keys along the slider and list. */
function pressed(event: KeyboardEvent, { step, play, playing }: Looking): boolean {
  const { key, shiftKey, target } = event
  const isOthers = event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey
  if (isOthers || !(target instanceof Element) || takesText(target)) return false
  if (target !== document.body && !target.closest('.past')) return false
  if (key === 'ArrowLeft' || key === 'ArrowRight') {
    if (target.closest('[role=grid], [role=tree]')) return false
    step(shiftKey ? 'attempt' : 'event', key === 'ArrowRight' ? 1 : -1)
    return true
  }
  if (shiftKey || !target.closest('.scrubber, .past-events')) return false
  if (key === 'PageUp' || key === 'PageDown') step('round', key === 'PageDown' ? 1 : -1)
  else if (key === 'Home' || key === 'End') step('end', key === 'End' ? 1 : -1)
  else if (key === 'ArrowUp' || key === 'ArrowDown') step('event', key === 'ArrowDown' ? 1 : -1)
  else if (key === ' ' && target.closest('button') === null) play(!playing)
  else return false
  return true
}
