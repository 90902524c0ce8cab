/** One part of a prompt: lines of `- Key: value`, and texts quoted as they are between fences. */
export interface Section {
  heading: string
  facts: ReadonlyMap<string, readonly string[]>
  quotes: readonly string[]
  /** Every line that is not quoted. */
  lines: readonly string[]
}

/** Quotes any text so that nothing in it can end the quotation. */
export const quote = (text: string): string => {
  const longest = Math.max(2, ...[...text.matchAll(/~+/g)].map(([run]) => run.length))
  const fence = '~'.repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
}

/** Reads sections back. Headings and facts inside quotations are text. */
export const readSections = (text: string): Section[] => {
  const sections: (Section & { facts: Map<string, string[]>; quotes: string[]; lines: string[] })[] = []
  const lines = text.split('\n')
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? ''
    const section = sections.at(-1)
    const end = section && /^~{3,}$/.test(line) ? lines.indexOf(line, index + 1) : -1
    if (section && end !== -1) {
      section.quotes.push(lines.slice(index + 1, end).join('\n'))
      index = end
      continue
    }
    const heading = /^#{1,3} (.+)$/.exec(line)?.[1]
    if (heading) sections.push({ heading, facts: new Map(), quotes: [], lines: [] })
    else section?.lines.push(line)
    const fact = /^- ([A-Z][A-Za-z ]*): (.*)$/.exec(line)
    if (section && fact?.[1]) addFact(section.facts, fact[1], fact[2] ?? '')
  }
  return sections
}

const addFact = (facts: Map<string, string[]>, key: string, value: string): void => {
  facts.set(key, [...(facts.get(key) ?? []), value])
}
