type Env = Readonly<Record<string, string | undefined>>

/**
 * What OpenClaw is told for one turn: which model, at which address, and where to work. It holds no key. Its own
 * default model is one provider's, so that with another provider's key alone it would ask for a login.
 */
export const configFor = (env: Env, workspace: string) => {
  const model = modelOf(env)
  return {
    agents: { defaults: { workspace, ...(model === null ? {} : { model: { primary: model } }) } },
    models: { providers: { ...at('anthropic', env.ANTHROPIC_BASE_URL), ...at('openai', env.OPENAI_BASE_URL) } },
  }
}

const modelOf = (env: Env): string | null => {
  if (env[modelVariable]) return env[modelVariable]
  return env.ANTHROPIC_API_KEY && !env.OPENAI_API_KEY ? 'anthropic/claude-sonnet-4-6' : null
}

const at = (provider: string, baseUrl: string | undefined) => (baseUrl ? { [provider]: { baseUrl, models: [] } } : {})

/** `provider/model`, where the person wants another one. */
const modelVariable = 'PARLEY_OPENCLAW_MODEL'
