import type { Failure } from '../../shared/errors.ts'
import { GateEndReason } from '../../shared/gate.ts'
import { text } from '../text/text.ts'

/** What a refusal means to the person, with the names it is about. */
export const refusalWords = ({ code, params }: Failure): string => {
  if (code === 'image.not-taken' && typeof params?.['agents'] === 'string') {
    return text.images.notTaken(params['agents'])
  }
  if (code === 'agent.not-held' && typeof params?.['agent'] === 'string') {
    return text.custom.refusedAsLoose(params['agent'])
  }
  const reason = code === 'gate.closed' ? GateEndReason.safeParse(params?.['reason']) : null
  if (reason?.success) return `${text.errors[code]} ${text.gateEnd[reason.data]}`
  const { needs, found } = params ?? {}
  if (code === 'install.node-too-old' && typeof needs === 'string' && typeof found === 'string') {
    return `${text.errors[code]} ${text.install.needsNode(needs, found)}`
  }
  return text.errors[code]
}
