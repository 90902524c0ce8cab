import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { AcpAgent } from '../../adapters/agents/acp/agent.ts'
import type { OpenSession } from '../../adapters/ports.ts'

/** A key that must never be shown. */
export const fakeKey = 'fake-0123456789abcdef'

/** The agent of few words in `acp-fake.ts`, as data. */
export const fakeAgent: AcpAgent = {
  kind: 'rehearsal',
  agents: ['rehearsal:bold'],
  abilities: { readOnly: 'permissions', write: true, asks: true, resume: true, imagesMax: 4, usage: true },
  args: () => [],
  env: { names: ['FAKE_KEY'], credentials: ['FAKE_KEY'], values: { FAKE_MODE: 'quiet' } },
  modes: { readOnly: ['plan'], write: ['edit'] },
  usage: 'session',
  detect: () => Promise.reject(new Error('not used here')),
}

/** What opens a session with it, playing one scenario. */
export const fakeRequest = (scenario: string, more: Partial<OpenSession> = {}): OpenSession => ({
  program: {
    file: process.execPath,
    before: [fileURLToPath(new URL('./acp-fake.ts', import.meta.url)), scenario],
    version: '0.0.1',
  },
  agent: 'rehearsal:bold',
  cwd: process.cwd(),
  allowWrite: false,
  resume: null,
  scope: 'chat',
  token: randomUUID(),
  env: { PATH: process.env['PATH'], HOME: '/home/somebody', FAKE_KEY: fakeKey, OTHER_KEY: 'never', NODE_OPTIONS: '' },
  ...more,
})
