/** Does the work and gives back how long it took, and the longest that main did nothing else meanwhile; both in ms. */
export const longestStall = async (work: () => Promise<unknown>) => {
  let stall = 0
  let last = performance.now()
  const beat = () => {
    stall = Math.max(stall, performance.now() - last)
    last = performance.now()
    pulse = setImmediate(beat)
  }
  let pulse = setImmediate(beat)
  const before = performance.now()
  await work()
  stall = Math.max(stall, performance.now() - last)
  clearImmediate(pulse)
  return { total: performance.now() - before, stall }
}
