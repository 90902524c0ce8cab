import { createHash } from 'node:crypto'
import type { FileEvent, RunFile } from '../../shared/run-file.ts'

/** What of a file does not belong together, in one word; `null` where all of it does. */
export const findFault = (file: RunFile): string | null => {
  const { run, attempts, gates, events } = file
  const ids = attempts.map(({ record }) => record.attemptId)
  const gateIds = gates.map(({ record }) => record.gateId)
  const askers = new Set([run.runId, ...ids])
  if (!ids.every((id) => id.startsWith(`${run.runId}/`)) || isRepeated(ids)) return 'attempts'
  if (!gates.every(({ record: { asker } }) => asker.runId === run.runId && askers.has(asker.id))) return 'gates'
  if (isRepeated(gateIds) || gateIds.some((id) => askers.has(id))) return 'gates'
  if (!isHistory(events, (actor) => actor === run.runId || actor.startsWith(`${run.runId}/`))) return 'events'
  if (!gates.every((gate) => isHistory(gate.events, (actor) => actor === gate.record.gateId))) return 'events'
  return attempts.every(isSound) ? null : 'turns'
}

const isRepeated = (ids: readonly string[]): boolean => new Set(ids).size < ids.length

const isHistory = (events: readonly FileEvent[], mayAct: (actor: string) => boolean): boolean =>
  isRising(events) && events.every(({ actor }) => mayAct(actor))

const isRising = (rows: readonly { seq: number }[]): boolean =>
  rows.every(({ seq }, index) => seq > (rows[index - 1]?.seq ?? 0))

const isSound = ({ record, output, deliveries }: RunFile['attempts'][number]): boolean =>
  isRising(output) &&
  !isRepeated(deliveries.map((delivery) => delivery.record.deliveryId)) &&
  deliveries.every(({ record: sent, prompt }) =>
    sent.deliveryId === `delivery/${record.attemptId}/${sent.try}` &&
    sent.promptSha256 === createHash('sha256').update(prompt).digest('hex'))
