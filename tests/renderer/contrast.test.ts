import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const css = readFileSync('renderer/styles/tokens.css', 'utf8')
const tokens = new Map(
  [...css.matchAll(/--([\w-]+):\s*light-dark\((#[0-9a-f]{6}),\s*(#[0-9a-f]{6})\)/g)].map(([, name, light, dark]) => [
    name!,
    { light: light!, dark: dark! },
  ]),
)

const grounds = ['canvas', 'surface', 'raised', 'sunken', 'hover', 'selected']
const states = ['working', 'needs', 'done', 'failed', 'stopped', 'interrupted']
const texts: [string, string][] = [
  ...['ink', 'ink-2', 'ink-3', 'accent'].flatMap((ink) => grounds.map((ground): [string, string] => [ink, ground])),
  ...states.flatMap((state) =>
    [...grounds, `${state}-tint`].map((ground): [string, string] => [`${state}-ink`, ground]),
  ),
  ...states.map((state): [string, string] => ['ink', `${state}-tint`]),
  ['idle-ink', 'surface'],
  ['ink-2', 'needs-tint'],
  ['on-ink', 'ink'],
  ['on-ink', 'ink-2'],
  ['on-needs', 'needs-solid'],
  ['on-needs', 'needs-solid-hover'],
]
const lines: [string, string][] = [
  ...['line-control', ...states.map((state) => `${state}-line`)].flatMap((line) =>
    ['surface', 'raised', 'sunken', 'canvas'].map((ground): [string, string] => [line, ground]),
  ),
  ...states.map((state): [string, string] => [`${state}-line`, `${state}-tint`]),
]

const pairs = (list: [string, string][], least: number) =>
  list.flatMap(([front, back]) => (['light', 'dark'] as const).map((side) => ({ front, back, side, least })))

test.each([...pairs(texts, 4.5), ...pairs(lines, 3)])(
  '$front on $back holds $least:1 in the $side',
  ({ front, back, side, least }) => {
    expect(ratio(colour(front, side), colour(back, side))).toBeGreaterThanOrEqual(least)
  },
)

const colour = (name: string, side: 'light' | 'dark') => {
  const found = tokens.get(name)
  if (!found) throw new Error(`There is no token --${name}.`)
  return found[side]
}

const ratio = (a: string, b: string) => {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x)
  return (high + 0.05) / (low + 0.05)
}

const luminance = (hex: string) => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
