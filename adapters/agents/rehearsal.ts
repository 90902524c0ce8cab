import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { agentIds, kindOfAgent } from '../../shared/agent.ts'
import type { AgentAdapter, Detection } from '../ports.ts'
import type { Processes } from '../process.ts'
import { paceVariable, rehearsalModes, rehearsalVersion } from '../rehearsal/identity.ts'
import { acpAdapter } from './acp.ts'
import { stageOf } from './stages.ts'

/** The scripted agents that ship with Parley, each a process of its own that speaks ACP. */
export const rehearsalAdapter = (processes: Processes): AgentAdapter =>
  acpAdapter(
    {
      kind: 'rehearsal',
      agents: agentIds.filter((agent) => kindOfAgent(agent) === 'rehearsal'),
      abilities: { readOnly: 'permissions', write: true, asks: true, resume: true, imagesMax: 0, usage: true },
      args: (agent) => [agent.split(':')[1] ?? ''],
      env: {
        names: [paceVariable],
        credentials: [],
        // under Electron the same binary is Node only when told so
        values: process.versions.electron === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' },
      },
      modes: { readOnly: [rehearsalModes.readOnly], write: [rehearsalModes.write] },
      usage: 'turn',
      // it only pretends to act, and in each mode alike
      asksInReadOnly: true,
      detect: () => Promise.resolve(detection()),
    },
    processes,
  )

const detection = (): Detection => ({
  card: {
    readiness: 'ready',
    version: rehearsalVersion,
    evidence: 'ships with Parley',
    stages: [
      stageOf('found', 'yes', 'Ships with Parley.'),
      stageOf('version', 'yes', `It is version ${rehearsalVersion}.`),
      stageOf('runtime', 'yes', 'Runs as Parley itself does.'),
      stageOf('protocol', 'yes', 'Speaks what Parley speaks.'),
      stageOf('credentials', 'yes', 'Needs none.'),
    ],
    failure: null,
    remedy: null,
    checkedAt: Date.now(),
  },
  program: { file: process.execPath, before: [script], version: rehearsalVersion },
})

/** Beside this file, as TypeScript in the sources and as JavaScript in a build. */
const script = fileURLToPath(new URL(`../rehearsal/main${extname(import.meta.url)}`, import.meta.url))
