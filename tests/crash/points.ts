import type { Around, Step } from '../../shared/steps.ts'

/** Numbers what comes before and after each step, from 1, and tells each. */
export const numbering = (reached: (number: number, name: string) => void): Around => {
  let number = 0
  const pass = (side: 'before' | 'after', step: Step) => {
    number += 1
    reached(number, `${side} ${nameOf(step)}`)
  }
  return (step, work) => {
    // nothing is stored by a statement within a transaction: all of it is before the commit
    if (step.kind === 'statement') return work()
    pass('before', step)
    const result = work()
    if (result instanceof Promise) void result.then(() => pass('after', step), () => undefined)
    else pass('after', step)
    return result
  }
}

/** A step as a person reads it: of a statement its first words. */
export const nameOf = ({ kind, of }: Step) => `${kind}: ${of.trim().split(/[\s(]+/).slice(0, 3).join(' ') || 'nothing'}`
