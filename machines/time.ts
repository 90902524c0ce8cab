/** The time of a moment: every event carries it, a child's end carries it in its output, the rest is as late as before. */
export const timeOf = (event: object, lastAt: number): number => {
  if ('at' in event && typeof event.at === 'number') return event.at
  if ('output' in event && typeof event.output === 'object' && event.output !== null) return timeOf(event.output, lastAt)
  return lastAt
}
