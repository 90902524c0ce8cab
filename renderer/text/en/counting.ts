/** A number with its noun: `1 round`, `2 rounds`. */
export const count = (n: number, one: string, many: string) => `${n.toLocaleString('en')} ${n === 1 ? one : many}`

/** `Codex, Claude, and Sceptic`. */
export const list = (words: readonly string[]) => new Intl.ListFormat('en').format(words)
