import { useSyncExternalStore } from 'react'

const query = '(max-width: 1039px)'

/** Whether the window is too narrow for three columns. */
export const useNarrow = () => useSyncExternalStore(subscribe, () => matchMedia(query).matches)

function subscribe(hear: () => void) {
  const list = matchMedia(query)
  list.addEventListener('change', hear)
  return () => list.removeEventListener('change', hear)
}
