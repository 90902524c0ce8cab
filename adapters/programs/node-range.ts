import { compareNumbers, numbersOf } from '../../shared/version-numbers.ts'

/** Whether a version of Node is in the range that a package asks for; `null` for a range that is not understood. */
export const isInRange = (version: string, range: string): boolean | null => {
  const numbers = numbersOf(version)
  const choices = range.split('||').map((choice) => meetsAll(numbers, choice))
  if (choices.includes(true)) return true
  return choices.includes(null) ? null : false
}

const meetsAll = (version: readonly number[], choice: string): boolean | null => {
  const between = /^\s*(\S+)\s+-\s+(\S+)\s*$/.exec(choice)
  const conditions = between
    ? [`>=${between[1]}`, `<=${between[2]}`]
    : choice.replaceAll(/([<>=^~])\s+/g, '$1').split(/\s+/).filter((word) => word !== '')
  const met = conditions.map((condition) => meets(version, condition))
  if (met.includes(false)) return false
  return met.includes(null) ? null : true
}

const meets = (version: readonly number[], condition: string): boolean | null => {
  const read = /^(>=|<=|>|<|=|\^|~)?v?(\d+|[x*])(?:\.(\d+|[x*]))?(?:\.(\d+|[x*]))?$/i.exec(condition)
  if (!read) return null
  const wanted = read.slice(2).flatMap((part) => (part !== undefined && /^\d+$/.test(part) ? [Number(part)] : []))
  const difference = compareNumbers(version, wanted)
  switch (read[1]) {
    case '>=': return difference >= 0
    case '<=': return difference <= 0
    case '>': return difference > 0
    case '<': return difference < 0
    case '^': return difference >= 0 && version[0] === wanted[0]
    case '~': return difference >= 0 && compareNumbers(version, wanted.slice(0, 2)) === 0
    default: return difference === 0
  }
}
