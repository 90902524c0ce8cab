import { compareNumbers } from '../../shared/version-numbers.ts'

/** Which of two versions is newer, by their first three numbers: above 0 when the first is, 0 when they are equal. */
export const compareVersions = (one: string, other: string): number => compareNumbers(numbersIn(one), numbersIn(other))

const numbersIn = (version: string): readonly number[] =>
  (/\d+(?:\.\d+){0,2}/.exec(version)?.[0] ?? '').split('.').map(Number)
