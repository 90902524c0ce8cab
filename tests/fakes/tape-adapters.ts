import { claudeAdapter } from '../../adapters/agents/claude.ts'
import { codexAdapter, type AdapterSurroundings } from '../../adapters/agents/codex.ts'
import type { AgentAdapter } from '../../adapters/ports.ts'
import type { TapeEntry } from './tape.ts'
import { playing } from './tape-file.ts'

type Tapes = Partial<Record<'codex' | 'claude', readonly TapeEntry[]>>

/** The real adapters, each of which finds a program that plays a tape. */
export const tapeAdapters = (tapes: Tapes, surroundings: AdapterSurroundings): AgentAdapter[] =>
  (['codex', 'claude'] as const).flatMap((kind) => {
    const tape = tapes[kind]
    return tape ? [found({ codex: codexAdapter, claude: claudeAdapter }[kind](surroundings), tape)] : []
  })

const found = (adapter: AgentAdapter, tape: readonly TapeEntry[]): AgentAdapter => ({
  ...adapter,
  detect: async () => ({
    card: {
      readiness: 'ready',
      version: '1.2.3',
      evidence: 'plays a tape',
      stages: [],
      failure: null,
      remedy: null,
      checkedAt: 0,
    },
    program: { file: process.execPath, before: playing(tape), version: '1.2.3' },
  }),
})
