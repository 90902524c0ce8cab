/** When something happened: every event carries it, a child's end in its output; the rest is as late as before. */
export const timeOf = (event: object, lastAt: number): number => {
  if ('at' in event && typeof event.at === 'number') return event.at
  const output = 'output' in event ? event.output : null
  return typeof output === 'object' && output !== null ? timeOf(output, lastAt) : lastAt
}
