import { dirname } from 'node:path'
import { childEnvironment, withFolderOnPath } from '../../environment.ts'
import type { OpenSession } from '../../ports.ts'
import { secretsOf, type Hidden } from '../../redact.ts'
import type { AcpAgent } from './agent.ts'

type Env = Readonly<Record<string, string | undefined>>
type Own = Pick<AcpAgent, 'env'>

export interface Surroundings {
  env: Readonly<Record<string, string>>
  hidden: Hidden
}

/** What an agent gets of our environment, with what it is told by whether it may write. */
export const acpEnvironment = async ({ env: own }: Own, env: Env, allowWrite: boolean) =>
  childEnvironment(env, {
    names: [...own.names, ...own.credentials, ...((await own.keysInConfig?.(env)) ?? [])],
    values: { ...own.values, ...own.byMode?.[allowWrite ? 'write' : 'readOnly'] },
  })

/** The environment for one session, and what of it must never be shown. */
export const surroundingsOf = async (
  agent: Own,
  { env, allowWrite, program }: Pick<OpenSession, 'env' | 'allowWrite' | 'program'>,
): Promise<Surroundings> => {
  const child = withFolderOnPath(await acpEnvironment(agent, env, allowWrite), dirname(program.file))
  const secrets = secretsOf(child, [...agent.env.credentials, ...((await agent.env.keysInConfig?.(env)) ?? [])])
  return { env: child, hidden: { secrets, home: env.HOME ?? env.USERPROFILE ?? null } }
}
