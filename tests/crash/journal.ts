import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import type { AttemptStatus } from '../../shared/attempt.ts'
import type { Push } from '../../shared/ipc.ts'
import type { RunStatus } from '../../shared/run.ts'
import type { TestOffice } from '../fakes/office.ts'

/** What a person has been told, in the order it was told. */
export type Told =
  | { told: 'conversation' | 'naming'; conversationId: string; name: string }
  | { told: 'deleted'; conversationId: string }
  | { told: 'draft'; conversationId: string; text: string }
  | { told: 'image' | 'image removed'; conversationId: string; imageId: string }
  | { told: 'sending' | 'accepted' | 'queued'; conversationId: string; text: string }
  | { told: 'answered'; gateId: string; optionId: string }
  | { told: 'gate'; gateId: string; status: string }
  | { told: 'run'; runId: string; conversationId: string; status: RunStatus }
  | {
    told: 'turn'; runId: string; conversationId: string; attemptId: string; status: AttemptStatus; text: string | null
  }
  | { told: 'point'; number: number; name: string }
  | { told: 'end'; points: number }

export type Tell = (told: Told) => void

/** Keeps what is told in a file beside the data folder, one line each: there at once, whoever is killed next. */
export const journalAt = (path: string): Tell => (told) => appendFileSync(path, `${JSON.stringify(told)}\n`)

export const readJournal = (path: string): Told[] =>
  existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line) as Told) : []

/** Tells everything that this office shows of runs, turns and gates. */
export const tellPushes = (office: TestOffice, tell: Tell) => {
  office.composition.onPush((topic, body) => {
    if (topic === 'run.changed') tellRun(body as Push<'run.changed'>, tell)
    if (topic === 'gates.changed') {
      for (const { gateId, status } of (body as Push<'gates.changed'>).gates) tell({ told: 'gate', gateId, status })
    }
  })
}

const tellRun = ({ run, turns }: Push<'run.changed'>, tell: Tell) => {
  const { runId, conversationId, status } = run
  tell({ told: 'run', runId, conversationId, status })
  for (const turn of turns) {
    const { attemptId, text } = turn
    tell({ told: 'turn', runId, conversationId, attemptId, status: turn.status, text })
  }
}
