/** Which of two versions is newer, by their first three numbers: above 0 when the first is, 0 when they are equal. */
export const compareVersions = (one: string, other: string): number => {
  const [ours, theirs] = [numbersIn(one), numbersIn(other)]
  for (const [index, number] of ours.entries()) {
    const difference = number - (theirs[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

const numbersIn = (version: string): readonly number[] =>
  (/\d+(?:\.\d+){0,2}/.exec(version)?.[0] ?? '').split('.').map(Number)
