import { basename, relative } from 'node:path'

/** `touch a && ls | wc` runs touch, ls, wc: what is run, without what it is run on. */
export const programsIn = (command: string): string => {
  const programs = command
    .split(/&&|\|\|?|;|\n/)
    .map(
      (part) =>
        part
          .trim()
          .split(/\s+/)
          .find((word) => !word.includes('=')) ?? '',
    )
    .filter((word) => /^[\w./+-]+$/.test(word))
    .map((word) => basename(word))
  return [...new Set(programs)].slice(0, 4).join(', ') || 'a command'
}

/** A path as seen from the working directory, or as it is when it lies outside. */
export const placeOf = (path: string, cwd: string): string => {
  const inside = relative(cwd, path)
  return inside === '' || inside.startsWith('..') ? path : inside
}
