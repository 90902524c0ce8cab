/** How many words of a query are looked for; the rest is ignored. */
const wordsMax = 6

/**
 * One list of SQL `like` patterns for each word of a query: the word must match one of its spellings.
 * SQLite folds the case of ASCII letters only, so other letters are spelled out in both cases.
 */
export const likePatterns = (query: string): string[][] =>
  query
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, wordsMax)
    .map((word) => spellings(word).map((spelling) => `%${escaped(spelling)}%`))

const spellings = (word: string) => {
  const lower = word.toLowerCase()
  if (isAscii(word)) return [lower]
  const capital = lower.slice(0, 1).toUpperCase() + lower.slice(1)
  return [...new Set([lower, word.toUpperCase(), capital, word])]
}

const isAscii = (word: string) => !/\P{ASCII}/u.test(word)

const escaped = (word: string) => word.replace(/[\\%_]/g, String.raw`\$&`)
