import { idOfCustom, type CustomAgentDefinition } from '../../shared/custom-agent.ts'
import { nameOfAgent } from '../../shared/agent.ts'
import { toFailure } from '../../shared/errors.ts'
import { launchMs as usualLaunchMs } from '../../shared/limits.ts'
import type { AgentAdapter, Detection } from '../ports.ts'
import { acpAdapter } from './acp.ts'
import type { WarmSessions } from './acp/warm.ts'
import type { AdapterSurroundings } from './codex.ts'
import { programOfCustom } from './custom/program.ts'
import { decoderOf } from './custom/read-output.ts'
import { oneShotAdapter } from './one-shot.ts'

/** Makes an agent of a program that the person named. Whatever it is given by variables counts as a secret. */
export const customAdapter = (
  definition: CustomAgentDefinition,
  { processes, launchMs, warm }: Pick<AdapterSurroundings, 'processes' | 'launchMs'> & { warm?: WarmSessions },
): AgentAdapter => {
  const agent = idOfCustom(definition)
  const { args, envNames, speech } = definition
  const common = {
    kind: 'custom' as const,
    agents: [agent],
    args: () => args,
    env: { names: envNames, credentials: envNames },
    detect: () => detect(definition),
  }
  if (speech.transport === 'one-shot') {
    return oneShotAdapter(
      {
        ...common,
        product: nameOfAgent(agent).name,
        abilities: { readOnly: 'none', write: true, asks: false, resume: false, imagesMax: 0, usage: false },
        decoder: () => decoderOf(speech.output),
        warnings: [],
      },
      { processes, launchMs },
    )
  }
  const { readOnly, write } = speech.modes
  const held = readOnly === null ? 'none' : 'permissions'
  return acpAdapter(
    {
      ...common,
      abilities: { readOnly: held, write: true, asks: true, resume: true, imagesMax: 0, usage: false },
      modes: { readOnly: listed(readOnly), write: listed(write) },
      usage: 'turn',
    },
    processes,
    { openMs: launchMs ?? usualLaunchMs, firstSignMs: launchMs ?? usualLaunchMs, ...(warm ? { warm } : {}) },
  )
}

const listed = (mode: string | null): string[] => (mode === null ? [] : [mode])

interface Looked {
  program: Detection['program']
  failure: Detection['card']['failure']
}

const detect = async (definition: CustomAgentDefinition): Promise<Detection> => {
  try {
    return found({ program: await programOfCustom(definition), failure: null })
  } catch (error) {
    return found({ program: null, failure: toFailure(error) })
  }
}

const found = ({ program, failure }: Looked): Detection => ({
  card: {
    readiness: program ? 'installed' : 'notInstalled',
    version: null,
    evidence: program ? 'the program is there and may be run' : null,
    stages: [
      {
        stage: 'found',
        outcome: program ? 'yes' : 'no',
        how: program ? 'The program is there and may be run.' : 'The program is not there, or may not be run.',
      },
      { stage: 'version', outcome: 'unknown', how: 'A program of your own is not asked for its version.' },
      { stage: 'protocol', outcome: 'unknown', how: 'That is seen when it is first spoken with.' },
    ],
    failure,
    remedy: null,
    checkedAt: Date.now(),
  },
  program,
})
