import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AgentRun, RunInput } from '../../../machines/blanks.ts'
import { GateAsk } from '../../../shared/gate.ts'
import { replaySliceMs } from '../../../shared/limits.ts'
import type { ReplayFinding, ReplayResult } from '../../../shared/replay.ts'
import { settled } from '../../../shared/run.ts'
import { Table, type FileEvent, type FileGate, type RunRecording } from '../../../shared/run-file.ts'
import { storesInMemory } from '../../stores/in-memory.ts'
import type { Stores } from '../../stores/stores.ts'
import { countDenials } from '../../turns/keep-turn.ts'
import { replayedGate, replayedRun } from '../../wiring/replay.ts'
import { projectionOf } from '../project.ts'
import { ReplayedPrompts } from './prompts.ts'
import { ReplayedTurns } from './turns.ts'
import { RootReplay } from './root-replay.ts'
import { causeInGate, causeInRun } from './words.ts'

/**
 * Runs our own orchestration once more over what was recorded of a run: the same charts, fence, recorder, projections
 * and prompts, over stores in memory, with no agent, no network and no clock of its own. Every transition and every
 * prompt is compared as it comes out; the first that differs, or cannot be compared, ends it.
 */
export const replay = async (file: RunRecording): Promise<ReplayResult> => {
  const breathe = breathing()
  const run = await replayRun(file, breathe)
  const result = { ...run }
  for (const gate of file.gates) {
    if (result.finding) return result
    const { compared, finding } = await replayGate(gate, breathe)
    result.events += compared
    result.finding = finding
  }
  return result
}

const replayRun = async (file: RunRecording, breathe: () => Promise<void>): Promise<ReplayResult> => {
  const { runId } = file.run
  // it was cut off before anything of it was written
  if (file.events.length === 0) return { events: 0, prompts: 0, finding: obstacleAt(runId, 1, 'endedOutside') }
  const input = inputOf(file)
  if (!input) return { events: 0, prompts: 0, finding: obstacleAt(runId, 1, 'tableUnknown') }
  const stores = storesInMemory()
  try {
    layOut(stores, file)
    const prompts = new ReplayedPrompts(file, stores)
    const turns = new ReplayedTurns(file, stores)
    const root: RootReplay = new RootReplay({
      rootId: runId,
      name: 'run',
      version: file.version,
      input,
      expected: file.events,
      machine: (fence) =>
        replayedRun({
          fence,
          accept: (record) => stores.accept({ message: messageOf(file), run: record }),
          launch: (launched: AgentRun) => {
            turns.launch(launched)
            prompts.launch(launched)
          },
        }),
      causeOf: (event) => causeInRun(file, event, (attemptId) => replyOf(stores, attemptId)),
      keep: ({ moved }) => {
        const { runs, attempts } = projectionOf(stores, moved)
        stores.ledger.commitSoon({ runs, attempts })
      },
      before: (event) => turns.hear(event),
      after: (at) => prompts.compare(at),
    })
    const finding = (await root.play(breathe)) ?? compareEnd(file, stores)
    return { events: root.compared, prompts: prompts.equal, finding: finding && excused(file, finding) }
  } finally {
    stores.close()
  }
}

const replayGate = async (gate: FileGate, breathe: () => Promise<void>) => {
  const asker = { ...gate.record.asker, conversationId }
  const root = new RootReplay({
    rootId: gate.record.gateId,
    name: 'gate',
    version: gate.version,
    input: GateAsk.parse({ ...gate.record, asker }),
    expected: gate.events,
    machine: replayedGate,
    causeOf: (event: FileEvent) => causeInGate(gate, event),
  })
  const finding = await root.play(breathe)
  return { compared: root.compared, finding }
}

/** What names the conversation and the message here: nothing that is compared depends on it. */
const conversationId = 'conversation'
const messageId = 'message'

const inputOf = ({ run, events }: RunRecording): RunInput | null => {
  const table = Table.safeParse(events[0]?.cause['table'])
  if (!table.success) return null
  return {
    runId: run.runId,
    conversationId,
    messageId,
    topic: run.topic,
    policy: run.policy,
    seats: table.data.map(({ seat, agent }) => ({ seat, agent, standing: 'seated' })),
    mayContinue: Object.fromEntries(table.data.map(({ seat, mayContinue }) => [seat, mayContinue])),
    followUpOf: run.followUpOf,
    at: run.startedAt,
  }
}

const layOut = (stores: Stores, { conversation, run, gates }: RunRecording): void => {
  stores.conversations.create({
    ...conversation,
    conversationId,
    workdir: '.',
    allowWrite: run.policy.allowWrite,
    settings: { rounds: run.policy.rounds, blindFirst: run.policy.blindFirst },
    createdAt: run.startedAt,
    updatedAt: run.startedAt,
  })
  for (const { record } of gates) stores.gates.put({ ...record, asker: { ...record.asker, conversationId } })
}

const messageOf = ({ run }: RunRecording) => ({ messageId, conversationId, text: run.topic, at: run.startedAt })

const replyOf = (stores: Stores, attemptId: string) =>
  ({ ...stores.attempts.replyOf(attemptId), denials: countDenials(stores, attemptId) })

/** All transitions are equal: then the run must have come to the same end. */
const compareEnd = ({ run, events }: RunRecording, stores: Stores): ReplayFinding | null => {
  const actual = stores.runs.get(run.runId)?.status ?? 'running'
  if (actual === run.status) return null
  const seq = events.length + 1
  // a run that its chart could not end was ended all the same, as after a snapshot that could not be read
  if (run.status === 'interrupted' && !settled(actual)) return obstacleAt(run.runId, seq, 'endedOutside')
  return { what: 'end', rootId: run.runId, seq, expected: run.status, actual }
}

/** A prompt cannot be worded alike from what is not there any more: that says nothing about our orchestration. */
const excused = (file: RunRecording, finding: ReplayFinding): ReplayFinding => {
  if (finding.what !== 'prompt') return finding
  const { rootId, seq } = finding
  if (file.attempts.some(isCompacted)) return obstacleAt(rootId, seq, 'detailCompacted')
  return file.replaced > 0 ? obstacleAt(rootId, seq, 'textsReplaced') : finding
}

const isCompacted = ({ capsule, output }: RunRecording['attempts'][number]): boolean =>
  capsule !== null && capsule.evidence.length > 0 && !output.some(({ item }) => item.type === 'tool')

const obstacleAt = (rootId: string, seq: number, because: Extract<ReplayFinding, { what: 'obstacle' }>['because']) =>
  ({ what: 'obstacle', rootId, seq, because }) as const

/** Lets everything else in main have its turn from time to time. */
const breathing = (): (() => Promise<void>) => {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < replaySliceMs) return
    await nextTurn()
    since = performance.now()
  }
}
