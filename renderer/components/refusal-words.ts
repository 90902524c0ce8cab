import type { Failure } from '../../shared/errors.ts'
import { text } from '../text/text.ts'

/** What a refusal means to the person, with the names it is about. */
export const refusalWords = ({ code, params }: Failure): string =>
  code === 'image.not-taken' && typeof params?.['agents'] === 'string'
    ? text.images.notTaken(params['agents'])
    : text.errors[code]
