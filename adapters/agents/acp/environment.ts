import { dirname } from 'node:path'
import { childEnvironment, withFolderOnPath, type Env } from '../../environment.ts'
import type { OpenSession } from '../../ports.ts'
import type { PrivateFile } from '../../private-files.ts'
import { withProvider } from '../../provider-environment.ts'
import { hiddenOf, type Hidden } from '../../redact.ts'
import type { AcpAgent } from './agent.ts'

type Own = Pick<AcpAgent, 'env'>
type Asked = Pick<OpenSession, 'env' | 'allowWrite' | 'program' | 'provider'>

export interface Surroundings {
  env: Readonly<Record<string, string>>
  hidden: Hidden
  /** Come before the agent's own. */
  args: readonly string[]
  files: readonly PrivateFile[]
}

/** What an agent gets of our environment, with what it is told by whether it may write. */
export const acpEnvironment = async ({ env: own }: Own, env: Env, allowWrite: boolean, keys?: readonly string[]) =>
  childEnvironment(env, {
    names: [...own.names, ...own.credentials, ...(keys ?? (await own.keysInConfig?.(env)) ?? [])],
    values: { ...own.values, ...own.byMode?.[allowWrite ? 'write' : 'readOnly'] },
  })

/** The environment for one session, with its provider, and what of it must never be shown. */
export const surroundingsOf = async (agent: Own & Pick<AcpAgent, 'kind'>, asked: Asked): Promise<Surroundings> => {
  const { env, allowWrite, program, provider } = asked
  // the keys that its own configuration names are not for the address of another provider
  const keys = provider ? [] : ((await agent.env.keysInConfig?.(env)) ?? [])
  const child = withFolderOnPath(await acpEnvironment(agent, env, allowWrite, keys), dirname(program.file))
  const hidden = hiddenOf(child, [...agent.env.credentials, ...keys])
  return withProvider(agent.kind, { env: child, hidden }, provider)
}
