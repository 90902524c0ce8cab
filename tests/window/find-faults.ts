/**
 * Looks at a drawn page for what must not be: text under twelve pixels or too faint for its ground, targets under 24
 * pixels, anything wider than the window. Runs inside the page, so it uses nothing from outside.
 */
export function findFaults(): string[] {
  const faults: string[] = []

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement
    const words = node.textContent?.trim() ?? ''
    if (!element || words === '' || !isSeen(element)) continue
    const style = getComputedStyle(element)
    if (Number.parseFloat(style.fontSize) < 12) faults.push(`small text: ${words}`)
    const front = colourOf(element instanceof SVGElement ? style.fill : style.color)
    const back = groundOf(element)
    const least = isDisabled(element) ? 3 : 4.5
    if (front && back && ratio(over(front, back), back) < least)
      faults.push(`faint text (${ratio(over(front, back), back).toFixed(2)}): ${words}`)
  }

  for (const target of document.querySelectorAll('button, a[href], select, input')) {
    // a box to tick is pressed by its words as well
    const pressed = target.matches('[type=checkbox], [type=radio]') ? (target.closest('label') ?? target) : target
    const { width, height } = pressed.getBoundingClientRect()
    if (
      isSeen(target) &&
      target.closest('.said') === null &&
      (width < 24 || height < 20 || (height < 24 && target.closest('.segments') === null && !target.matches('input')))
    ) {
      faults.push(`small target (${width} × ${height}): ${target.getAttribute('aria-label') ?? target.textContent}`)
    }
  }

  for (const button of document.querySelectorAll('button, [role=option], [role=treeitem]')) {
    if (!button.getAttribute('aria-label') && !button.textContent?.trim())
      faults.push(`nameless: ${button.outerHTML.slice(0, 120)}`)
  }

  if (document.documentElement.scrollWidth > innerWidth) faults.push('the page is wider than the window')
  return faults

  function isSeen(element: Element) {
    const { width, height } = element.getBoundingClientRect()
    if (width <= 1 || height <= 1) return false
    for (let one: Element | null = element; one; one = one.parentElement) {
      const style = getComputedStyle(one)
      if (style.opacity === '0' || style.visibility === 'hidden' || style.display === 'none') return false
    }
    return true
  }

  function isDisabled(element: Element) {
    return element.closest('[disabled], [aria-disabled=true]') !== null
  }

  function colourOf(css: string): [number, number, number, number] | null {
    const numbers = css.match(/[\d.]+/g)?.map(Number)
    const [red, green, blue, alpha = 1] = numbers ?? []
    return red === undefined || green === undefined || blue === undefined ? null : [red, green, blue, alpha]
  }

  /** The nearest opaque ground; in a chart, the box that the words stand in, if any. */
  function groundOf(element: Element): [number, number, number, number] | null {
    if (element instanceof SVGElement) {
      const box = element.closest('.chart-state, .chart-count')?.querySelector('rect')
      const fill = box ? colourOf(getComputedStyle(box).fill) : null
      if (fill && fill[3] === 1) return fill
    }
    for (let one: Element | null = element; one; one = one.parentElement) {
      const ground = colourOf(getComputedStyle(one).backgroundColor)
      if (ground && ground[3] === 1) return ground
    }
    return null
  }

  function over(
    front: [number, number, number, number],
    back: [number, number, number, number],
  ): [number, number, number, number] {
    const mix = (a: number, b: number) => a * front[3] + b * (1 - front[3])
    return [mix(front[0], back[0]), mix(front[1], back[1]), mix(front[2], back[2]), 1]
  }

  function ratio(a: [number, number, number, number], b: [number, number, number, number]) {
    const [low = 0, high = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
    return (high + 0.05) / (low + 0.05)
  }

  function luminance([red, green, blue]: [number, number, number, number]) {
    const part = (value: number) =>
      value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4
    return 0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue)
  }
}
