import * as z from 'zod'
import type { OpenSession } from '../../ports.ts'
import { withProvider } from '../../provider-environment.ts'

/**
 * What OpenClaw is told for one turn: which model, at which address, and where to work. It holds no key. Its own
 * default model is one provider's, so that with another provider's key alone it would ask for a login.
 */
export const configFor = ({ env, provider }: Pick<OpenSession, 'env' | 'provider'>, workspace: string) => {
  const given = provider ? configOf(provider) : ownConfig(env)
  return { ...given, agents: { ...given.agents, defaults: { ...given.agents?.defaults, workspace } } }
}

type Config = z.infer<typeof Config>

/** The provider that the person chose for it, as its profile says. */
const configOf = (provider: OpenSession['provider']): Config => {
  const nothing = { env: {}, hidden: { secrets: [], home: null } }
  const file = withProvider('openclaw', nothing, provider).files.find(({ variable }) => variable === configVariable)
  return Config.parse(JSON.parse(file?.text ?? '{}'))
}

const ownConfig = (env: OpenSession['env']): Config => {
  const model = env[modelVariable] ?? modelByKey(env)
  return {
    agents: { defaults: model === null ? {} : { model: { primary: model } } },
    models: { providers: { ...at('anthropic', env.ANTHROPIC_BASE_URL), ...at('openai', env.OPENAI_BASE_URL) } },
  }
}

const modelByKey = (env: OpenSession['env']): string | null =>
  env.ANTHROPIC_API_KEY && !env.OPENAI_API_KEY ? 'anthropic/claude-sonnet-4-6' : null

const at = (provider: string, baseUrl: string | undefined) => (baseUrl ? { [provider]: { baseUrl, models: [] } } : {})

/** `provider/model`, where the person wants another one. */
const modelVariable = 'PARLEY_OPENCLAW_MODEL'
const configVariable = 'OPENCLAW_CONFIG_PATH'

const Config = z.looseObject({
  agents: z.looseObject({ defaults: z.looseObject({}).optional() }).optional(),
})
