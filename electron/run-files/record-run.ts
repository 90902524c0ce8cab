import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AttemptRecord } from '../../shared/attempt.ts'
import { Capsule } from '../../shared/capsule.ts'
import { AppError } from '../../shared/errors.ts'
import type { GateStatus } from '../../shared/gate.ts'
import { eventsPageMax, outputPageMax } from '../../shared/limits.ts'
import { RunRecording, type FileAttempt, type FileEvent } from '../../shared/run-file.ts'
import type { Conversation } from '../../shared/conversation.ts'
import { settled, type RunRecord } from '../../shared/run.ts'
import type { Stores } from '../stores/stores.ts'
import { earlierCapsules, earlierTurns } from '../turns/transcript.ts'

/**
 * Everything that is recorded of one settled run, in the shape of a run file and with its texts as they are.
 * Throws `run.unknown` and `run.not-settled`.
 */
export const recordRun = async (stores: Stores, runId: string): Promise<RunRecording> => {
  const run = stores.runs.get(runId)
  const conversation = run && stores.conversations.get(run.conversationId)
  if (!run || !conversation) throw new AppError('run.unknown', 'This run is not known here.')
  if (!settled(run.status)) throw new AppError('run.not-settled', 'This run is still going on. Stop it first.')
  const imported = stores.imports.get(run.conversationId)
  const attempts: Recorded[] = []
  for (const record of stores.attempts.ofRun(runId)) attempts.push(await attemptOf(stores, record))
  const gates: unknown[] = []
  for (const record of stores.gates.ofRun(runId)) {
    const { gateId, status } = record
    if (unsettled.has(status)) throw new AppError('run.not-settled', 'An answer of this run is still on its way.')
    gates.push({ record, version: stores.ledger.versionOf(gateId), events: await eventsOf(stores, gateId) })
  }
  // parsing takes from each record what the file has a place for, and nothing else
  return RunRecording.parse({
    conversation,
    run,
    version: stores.ledger.versionOf(runId),
    earlier: imported?.earlier ?? earlierOf(stores, { run, conversation, attempts }),
    events: await eventsOf(stores, runId),
    attempts,
    gates,
    images: imported?.images ?? stores.images.ofMessage(run.messageId).length,
    replaced: imported?.replaced ?? 0,
  })
}

const unsettled = new Set<GateStatus>(['waiting', 'answered', 'applying'])

interface Known {
  run: RunRecord
  conversation: Conversation
  attempts: readonly Recorded[]
}

/** Earlier turns are part of the run only where a prompt may have quoted them. */
const earlierOf = (stores: Stores, { run, conversation, attempts }: Known): RunRecording['earlier'] => {
  const quoted = attempts.some(({ deliveries }) => deliveries.some(({ record }) => record.session !== 'resumed'))
  return { turns: quoted ? earlierTurns(stores, run, conversation) : [], capsules: earlierCapsules(stores, run) }
}

/** As it is stored: what the file has no place for is left out when all of it is parsed. */
type Recorded = Omit<FileAttempt, 'record'> & { record: AttemptRecord }

const attemptOf = async (stores: Stores, record: AttemptRecord): Promise<Recorded> => {
  const { attemptId } = record
  const capsule = stores.attempts.capsuleOf(attemptId)
  return {
    record,
    text: stores.attempts.text(attemptId),
    capsule: capsule === null ? null : Capsule.parse(JSON.parse(capsule)),
    output: await outputOf(stores, attemptId),
    deliveries: stores.deliveries.ofAttempt(attemptId).flatMap((delivery) => {
      const sent = stores.deliveries.prompt(delivery.deliveryId)
      return sent ? [{ record: delivery, prompt: sent.prompt }] : []
    }),
  }
}

const outputOf = async (stores: Stores, attemptId: string): Promise<FileAttempt['output']> => {
  const output: FileAttempt['output'] = []
  for (let after = 0; ;) {
    const { rows, more } = stores.outputs.page(attemptId, after, outputPageMax)
    output.push(...rows)
    const last = rows.at(-1)
    if (!more || !last) return output
    after = last.seq
    await nextTurn()
  }
}

const eventsOf = async (stores: Stores, rootId: string): Promise<FileEvent[]> => {
  const events: FileEvent[] = []
  for (let after = 0; ;) {
    const page = stores.ledger.events(rootId, after, eventsPageMax)
    events.push(...page.events)
    const last = page.events.at(-1)
    if (!page.more || !last) return events
    after = last.seq
    await nextTurn()
  }
}
