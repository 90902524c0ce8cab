import type { AgentAdapter, AgentSession, OpenSession, Program, TurnEnd } from '../../adapters/ports.ts'
import type { LiveProcess } from '../../adapters/live-process.ts'
import type { Processes } from '../../adapters/process.ts'

const program: Program = process.platform === 'win32'
  ? { file: process.execPath, before: ['-e', 'process.stdin.pipe(process.stdout)'], version: '1' }
  : { file: 'cat', before: [], version: '1' }

/** The pieces in which the agent gives its answer. */
const answer = Array.from({ length: 20 }, (_, index) => `A part of the answer, number ${index}. `)

/** An agent that is the cheapest real process there is: what it is sent comes back, and then it has answered. */
export class EchoAgent implements AgentAdapter {
  readonly kind = 'rehearsal'
  readonly agents = ['rehearsal:bold'] as const
  readonly transport = 'acp'
  readonly abilities = {
    readOnly: 'permissions', write: false, asks: false, resume: true, imagesMax: 0, usage: false,
  } as const
  readonly mayContinue = true
  readonly #processes: Processes

  constructor(processes: Processes) {
    this.#processes = processes
  }

  async detect() {
    const card = {
      readiness: 'ready',
      version: '1',
      evidence: null,
      stages: [],
      failure: null,
      remedy: null,
      checkedAt: 1,
    } as const
    return { card, program }
  }

  async open({ cwd, token, resume }: OpenSession): Promise<AgentSession> {
    const heard = { line: () => {} }
    const live = await this.#processes.launch({
      program, args: [], cwd, token, env: { PATH: process.env['PATH'] ?? '' }, redact: (text) => text,
      hear: { line: () => heard.line(), omitted: () => heard.line() },
    })
    return sessionOf(live, resume, (hear) => { heard.line = hear })
  }
}

const sessionOf = (live: LiveProcess, resume: string | null, onLine: (hear: () => void) => void): AgentSession => ({
  pid: live.pid,
  startedAt: live.startedAt,
  version: '1',
  native: { id: resume ?? 'echo', resumed: resume !== null },
  gone: live.gone,
  prompt({ prompt }, hear) {
    const ended = Promise.withResolvers<TurnEnd>()
    onLine(() => {
      for (const delta of answer) hear({ type: 'text', delta })
      ended.resolve({ status: 'completed' })
    })
    live.write(JSON.stringify(prompt))
    return ended.promise
  },
  answer: () => undefined,
  cancel: async () => undefined,
  close: () => live.end(),
  kill: () => live.kill(),
})
