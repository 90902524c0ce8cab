import type { GateOption, GateRecord } from '../../../shared/gate.ts'

/** The option by which a policy answers, or `null` where the gate has none such. */
export const optionBy = (policy: 'allow' | 'deny', { options }: Pick<GateRecord, 'options'>): GateOption | null => {
  const effect = policy === 'allow' ? 'grant' : 'deny'
  const fitting = options.filter((option) => option.effect === effect)
  // a policy has no words of its own
  return fitting.find((option) => !option.takesNote) ?? fitting[0] ?? null
}

/** Reads a typed answer: the number of an option. */
export const optionByNumber = (text: string, { options }: Pick<GateRecord, 'options'>): GateOption | null =>
  /^\d{1,2}$/.test(text.trim()) ? (options[Number(text.trim()) - 1] ?? null) : null
