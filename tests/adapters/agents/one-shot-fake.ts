import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { oneShotAdapter } from '../../../adapters/agents/one-shot.ts'
import type { OneShotAgent } from '../../../adapters/agents/one-shot/agent.ts'
import { textDecoder } from '../../../adapters/agents/one-shot/text.ts'
import type { AgentSession, OpenSession } from '../../../adapters/ports.ts'
import { Processes } from '../../../adapters/process.ts'

export const processes = new Processes()
export const key = 'sk-canary-0123456789abcdef'

const plainAgent: OneShotAgent = {
  kind: 'custom',
  agents: ['custom:fake'],
  product: 'Fake',
  abilities: { readOnly: 'none', write: true, asks: false, resume: false, imagesMax: 0, usage: false },
  args: () => [],
  env: { names: ['FAKE_KEY'], credentials: ['FAKE_KEY'] },
  decoder: textDecoder,
  warnings: [],
  detect: () => Promise.reject(new Error('not used here')),
}

interface More {
  data?: Partial<OneShotAgent>
  request?: Partial<OpenSession>
  launchMs?: number
  signal?: AbortSignal
}

/** Starts the fake program, which does these steps, behind the port. */
export const openOneShot = (steps: readonly string[], more: More = {}): Promise<AgentSession> =>
  oneShotAdapter({ ...plainAgent, ...more.data }, { processes, launchMs: more.launchMs }).open(
    {
      program: { file: process.execPath, before: [program, ...steps], version: '1.2.3' },
      agent: 'custom:fake',
      cwd: tmpdir(),
      allowWrite: true,
      resume: null,
      scope: 'chat',
      token: `test-${randomUUID()}`,
      env: {
        PATH: process.env.PATH,
        HOME: '/home/user',
        FAKE_KEY: key,
        OTHER_KEY: 'never',
        CLAUDECODE: '1',
        NODE_OPTIONS: '--inspect',
      },
      ...more.request,
    },
    more.signal ?? new AbortController().signal,
  )

export const program = fileURLToPath(new URL('../../fakes/one-shot-program.ts', import.meta.url))
