import * as z from 'zod'
import type { CustomOutput } from '../../../shared/custom-agent.ts'
import { failureOf } from '../failures.ts'
import type { Decoder } from '../one-shot/decoder.ts'
import { documentDecoder } from '../one-shot/document.ts'
import { jsonLinesDecoder } from '../one-shot/json-lines.ts'
import { textDecoder } from '../one-shot/text.ts'

/** Reads what a program prints as its definition says. */
export const decoderOf = (output: CustomOutput): Decoder => {
  if (output.format === 'text') return textDecoder()
  const { answerField, errorField } = output
  const read = (message: unknown) => {
    const error = errorField === null ? undefined : fieldOf(message, errorField)
    if (isSaid(error)) return { failure: failureOf('agent.crashed', typeof error === 'string' ? error : '') }
    const answer = fieldOf(message, answerField)
    return typeof answer === 'string' ? { items: [{ type: 'text' as const, delta: answer }] } : null
  }
  if (output.format === 'lines') return jsonLinesDecoder(read)
  return documentDecoder((value) => {
    const heard = read(value)
    if (heard === null) return null
    if ('failure' in heard) return { status: 'failed', failure: heard.failure }
    const isEmpty = heard.items.every(({ delta }) => delta.trim() === '')
    return isEmpty ? { status: 'nothing', noise: '' } : { status: 'answered', items: heard.items }
  })
}

/** `result.text` is the field `text` of the field `result`; only what is a message's own counts. */
const fieldOf = (message: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => {
    const fields = Fields.safeParse(value)
    return fields.success && Object.hasOwn(fields.data, name) ? fields.data[name] : undefined
  }, message)

/** Whether an error field says that there was one: many print it empty. */
const isSaid = (error: unknown): boolean => error !== undefined && error !== null && error !== false && error !== ''

const Fields = z.record(z.string(), z.unknown())
