import { compareNumbers, numbersOf } from '../../shared/version-numbers.ts'
import { stripTerminalCodes } from '../terminal-codes.ts'

/**
 * The first version in the first line that names the product, or, for those that print nothing else (`bare`), the
 * first line that is a version and nothing more.
 */
export const readVersion = (printed: string, names: RegExp | 'bare'): string | null => {
  const lines = stripTerminalCodes(printed).split(/\r?\n/).map((line) => line.trim())
  if (names === 'bare') {
    return cleanVersion(lines.find((line) => /^v?\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/.test(line)) ?? '')
  }
  return cleanVersion(lines.find((line) => names.test(line) && version.test(line)) ?? '')
}

/** The version alone, without what a careless pattern took with it; `null` where there is none. */
export const cleanVersion = (text: string): string | null => version.exec(text)?.[1] ?? null

const version = /(?<![\d.])v?(\d+\.\d+\.\d+(?:-[0-9A-Za-z]+(?:[.-][0-9A-Za-z]+)*)?)/

/** Which versions are spoken with: from the oldest to the newest, both included; a prerelease only if it is listed. */
export interface VersionRange {
  oldest: readonly number[]
  newest?: readonly number[]
  prereleases?: readonly string[]
}

export const judgeVersion = (text: string, range: VersionRange): 'fits' | 'too-old' | 'too-new' | 'prerelease' => {
  if (range.prereleases?.includes(text)) return 'fits'
  const numbers = numbersOf(text)
  if (compareNumbers(numbers, range.oldest) < 0) return 'too-old'
  if (range.newest && compareNumbers(numbers, range.newest) > 0) return 'too-new'
  return text.includes('-') ? 'prerelease' : 'fits'
}
