import { takesText } from '../state/keys.ts'

/** Puts the focus on a gate's card, where one is drawn; says whether there was one. */
export function focusGate(gateId: string): boolean {
  const card = document.querySelector<HTMLElement>(`section[data-gate="${CSS.escape(gateId)}"]`)
  if (!card) return false
  card.scrollIntoView({ block: 'nearest' })
  focusOption(card)
  return true
}

/** Goes to the waiting gate after the one that has the focus; says whether there was one. */
export function focusNextGate(): boolean {
  const cards = [...document.querySelectorAll<HTMLElement>('section[data-gate]')]
  const at = cards.findIndex((card) => card.contains(document.activeElement))
  const next = cards[(at + 1) % Math.max(1, cards.length)]
  if (!next) return false
  next.scrollIntoView({ block: 'nearest' })
  focusOption(next)
  return true
}

const focusOption = (card: HTMLElement) => (card.querySelector<HTMLElement>('[data-option]') ?? card).focus()

/** Goes round the regions of the window, on or back. */
export function focusRegion(step: 1 | -1) {
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')].filter(
    (region) => region.offsetParent !== null,
  )
  const at = regions.findLastIndex((region) => region.contains(document.activeElement))
  const next = at < 0 && step < 0 ? regions.length - 1 : (at + step + regions.length) % Math.max(1, regions.length)
  regions[next]?.focus()
}

/** Goes one item on or back in the list that has the focus. */
export function focusInList(step: 1 | -1) {
  const active = document.activeElement
  const list = active?.closest('[data-list]')
  if (!list) return
  const items = [...list.querySelectorAll<HTMLElement>('[data-item], article[data-attempt] button.show-on-hover')]
  const at = items.findIndex((item) => item.contains(active))
  items[Math.min(items.length - 1, Math.max(0, at + step))]?.focus()
}

/** Goes one item on or back in a menu, from its button into it. */
export function focusInMenu(menu: HTMLElement | null, step: 1 | -1) {
  const items = [...(menu?.querySelectorAll<HTMLElement>('[data-item]') ?? [])]
  const at = items.findIndex((item) => item === document.activeElement)
  items[Math.min(items.length - 1, Math.max(0, at + step))]?.focus()
}

/** Digits answer the card that has the focus; nothing else does, Escape least of all. Says whether one was answered. */
export function answerByDigit(key: string): boolean {
  const card = document.activeElement?.closest('section[data-gate]')
  if (!card || !/^[1-9]$/.test(key) || takesText(document.activeElement)) return false
  const option = card.querySelector<HTMLButtonElement>(`[data-option="${key}"]`)
  option?.focus()
  option?.click()
  return option !== null
}
