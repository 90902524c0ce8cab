import { expect, test } from 'vitest'
import type { AgentSession, TurnEnd } from '../../../adapters/ports.ts'
import { Launch, type LaunchPorts } from '../../../electron/turns/launch.ts'
import { TurnRecorder } from '../../../electron/turns/turn-recorder.ts'
import type { AgentRun } from '../../../machines/blanks.ts'
import type { AgentEvent } from '../../../shared/agent-event.ts'
import { AppError, Failure } from '../../../shared/errors.ts'

const run: AgentRun = {
  attemptId: 'run/1/bold/1', runId: 'run', conversationId: 'conversation', round: 1, seat: 'bold',
  agent: 'rehearsal:bold', allowWrite: true, try: 1, fresh: false, continues: null,
}

/** A launch with everything around it in the hands of the test. */
const staged = (more: Partial<LaunchPorts> = {}) => {
  const said: string[] = []
  const did: string[] = []
  const opening = Promise.withResolvers<void>()
  const turn = Promise.withResolvers<TurnEnd>()
  const gone = Promise.withResolvers<{ code: number; signal: null; stderr: string; killed: number }>()
  const end = () => gone.resolve({ code: 0, signal: null, stderr: '', killed: 0 })
  let hear: (event: AgentEvent) => void = () => undefined
  const session: AgentSession = {
    pid: 1, startedAt: 1, version: '1', native: { id: 'native', resumed: false }, gone: gone.promise,
    prompt: (_turn, hears) => {
      hear = hears
      did.push('prompt')
      return turn.promise
    },
    answer: (requestId, { effect }) => did.push(`${requestId}: ${effect}`),
    cancel: async () => undefined,
    close: () => {
      did.push('close')
      end()
      return gone.promise
    },
    kill: () => {
      did.push('kill')
      end()
    },
  }
  const rows: unknown[] = []
  const gateIds: string[] = []
  const ports: LaunchPorts = {
    written: async () => undefined,
    durable: async () => undefined,
    compose: () => ({
      prompt: 'Go?', images: [], nonce: null, scope: {} as never, session: {} as never, delivery: {} as never,
    }),
    open: async () => {
      await opening.promise
      return session
    },
    keepSession: () => did.push('keepSession'),
    noteImages: () => undefined,
    record: () =>
      new TurnRecorder({
        attemptId: run.attemptId, try: 1, nonce: null, lastSeq: 0, now: () => 1,
        keep: (kept) => rows.push(...kept), show: () => undefined, failed: () => undefined,
      }),
    keepTurn: () => did.push('keepTurn'),
    noteFailure: (_run, failure) => did.push(`failure ${failure.code}`),
    openGate: ({ gateId, detail }) => {
      gateIds.push(gateId)
      did.push(`gate ${detail}`)
    },
    withdrawGate: () => did.push('withdraw'),
    now: () => 1,
    ...more,
  }
  const facts: Record<string, unknown>[] = []
  const launch = new Launch(ports, run, ({ type, ...fact }) => {
    facts.push(fact)
    said.push(type === 'agent.gone' ? `${type} ${String(fact.began)}` : type)
  })
  const asked = (detail: string): AgentEvent => ({
    type: 'asked',
    request: { requestId: detail, toolId: null, kind: 'execute', title: 'run', detail, reason: null },
  })
  return {
    launch, said, session, facts, did, rows, gateIds, opening, turn, end, asked,
    begun: launch.begin(), hear: (event: AgentEvent) => hear(event),
  }
}

const soon = () => new Promise((resolve) => { setImmediate(resolve) })

test('one that is stopped while it is being opened is closed once it is there, and never prompted', async () => {
  const { launch, said, did, opening, begun } = staged()
  await soon()
  launch.obey({ type: 'agent.stop' })
  opening.resolve()
  await begun
  await soon()
  expect([said, did]).toEqual([['agent.gone false'], ['close']])
})

test('one that is abandoned while it is being opened does not outlive it, whatever fails', async () => {
  const { launch, did, opening, begun } = staged()
  await soon()
  launch.abandon()
  opening.resolve()
  await begun
  expect(did).toEqual(['close'])
})

test('a session that cannot be kept ends with its process', async () => {
  const { said, did, opening, begun } = staged({
    keepSession: () => {
      throw new Error('the disk is full')
    },
  })
  opening.resolve()
  await begun
  await soon()
  expect(did).toEqual(['failure internal.unexpected', 'close'])
  expect(said).toEqual(['agent.failed', 'agent.gone false'])
})

test('what is said, asked or answered after the end of the turn is not heard', async () => {
  const { said, did, rows, opening, turn, begun, hear, asked, end } = staged()
  opening.resolve()
  await soon()
  hear({ type: 'text', delta: 'In time.' })
  turn.resolve({ status: 'completed' })
  await begun
  hear({ type: 'text', delta: 'Too late.' })
  hear(asked('too late'))
  end()
  await soon()
  expect(rows).toMatchObject([{ item: { type: 'text', delta: 'In time.' } }])
  expect(did).toEqual(['keepSession', 'prompt', 'keepTurn'])
  expect(said).toEqual(['agent.started', 'agent.finished', 'agent.gone true'])
})

test('one that is being ended asks nobody any more', async () => {
  const { launch, did, opening, hear, asked } = staged()
  opening.resolve()
  await soon()
  launch.obey({ type: 'agent.stop' })
  hear(asked('late'))
  expect(did).not.toContain('gate late')
})

test('the agent hears an answer only once it is on disk that the answer was taken', async () => {
  const disk = Promise.withResolvers<void>()
  let writes = 0
  const { launch, did, gateIds, opening, hear, asked } = staged({
    durable: () => (writes++ === 0 ? Promise.resolve() : disk.promise),
  })
  opening.resolve()
  await soon()
  hear(asked('npm test'))
  launch.obey({
    type: 'gate.deliver',
    gateId: gateIds[0] ?? '',
    decision: { optionId: 'allow', effect: 'grant', name: 'allowOnce', note: null, position: null, at: 1 },
  })
  await soon()
  expect(did).not.toContain('npm test: grant')
  disk.resolve()
  await soon()
  expect(did.at(-1)).toBe('npm test: grant')
})

test('the process may start while the disk is still busy, and nothing is asked of it before', async () => {
  const [log, disk] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const opened: string[] = []
  const { launch, did, opening, session } = staged({
    written: () => log.promise,
    durable: () => disk.promise,
    open: async () => {
      opened.push('open')
      return session
    },
  })
  opening.resolve()
  await soon()
  expect(opened).toEqual([])
  log.resolve()
  await soon()
  expect([opened, did]).toEqual([['open'], []])
  disk.resolve()
  await soon()
  expect(did).toEqual(['keepSession', 'prompt'])
  launch.obey({ type: 'agent.stop' })
})

test('a disk that does not take it ends the process before anything was asked of it', async () => {
  const { did, said, opening, begun } = staged({
    durable: () => Promise.reject(new AppError('ledger.unwritable', 'The disk is full.')),
  })
  opening.resolve()
  await begun
  await soon()
  expect(did).toEqual(['failure ledger.unwritable', 'close'])
  expect(said).toEqual(['agent.failed', 'agent.gone false'])
})

test('a failure that is too long to be stored is told shorter', async () => {
  const { facts, opening, turn, begun } = staged()
  opening.resolve()
  turn.resolve({ status: 'failed', failure: { code: 'agent.crashed', message: 'x'.repeat(10_000) } })
  await begun
  expect(Failure.safeParse(facts.at(-1)?.failure).data?.code).toBe('agent.crashed')
})
