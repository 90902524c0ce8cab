import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openStores } from '../../../electron/stores/open.ts'
import type { Stores } from '../../../electron/stores/stores.ts'
import type { AttemptRecord } from '../../../shared/attempt.ts'
import type { RunRecord } from '../../../shared/run.ts'
import { attempt, conversation, run } from './records.ts'

/** An empty folder that is gone after the test. */
export const freshFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-stores-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Stores in a folder of their own, closed after the test. */
export const freshStores = (folder = freshFolder()): Stores => {
  const stores = openStores(folder)
  onTestFinished(() => stores.close())
  return stores
}

/** A conversation with one accepted task; the run's topic is the message. */
export const withTask = (
  stores: Stores,
  conversationId: string,
  runId: string,
  more: Partial<RunRecord> = {},
): RunRecord => {
  if (!stores.conversations.get(conversationId)) stores.conversations.create(conversation(conversationId))
  const accepted = run(runId, conversationId, more)
  stores.accept({
    message: { messageId: accepted.messageId, conversationId, text: accepted.topic, at: accepted.startedAt },
    run: accepted,
  })
  return accepted
}

/** A task with one attempt that is speaking. */
export const withTurn = (stores: Stores, more: Partial<AttemptRecord> = {}) => {
  const task = withTask(stores, 'conversation-one', 'run-one')
  const speaking = attempt('attempt-one', task, more)
  stores.ledger.commit({ attempts: [speaking] })
  return { task, speaking }
}
