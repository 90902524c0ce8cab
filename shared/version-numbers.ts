/**
 * Above 0 where the first version is newer, below 0 where it is older. Compares as far as the second one goes:
 * `[0, 100]` is every 0.100.
 */
export const compareNumbers = (one: readonly number[], other: readonly number[]): number => {
  for (const [index, number] of other.entries()) {
    const difference = (one[index] ?? 0) - number
    if (difference !== 0) return difference
  }
  return 0
}

/** The numbers of a version, without what follows them. */
export const numbersOf = (text: string): number[] => (text.split(/[-+]/)[0] ?? '').split('.').map(Number)
