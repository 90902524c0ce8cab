/** Where two texts part, with what is around it in each; `null` for none. */
export const differenceOf = (one: string, other: string): string | null => {
  if (one === other) return null
  let at = 0
  while (one[at] === other[at]) at += 1
  const around = (text: string) => text.slice(Math.max(0, at - 80), at + 80)
  return `…${around(one)}… became …${around(other)}…`
}
