import { access } from 'node:fs/promises'
import type { Failure } from '../../shared/errors.ts'
import { findProgram, type Found, type Wanted } from '../find-program.ts'
import type { Detection } from '../ports.ts'

type Env = Readonly<Record<string, string | undefined>>

/** What is particular to one agent's detection. */
export interface AgentFacts {
  wanted: Wanted
  product: string
  /** The oldest version whose protocol Parley speaks: major, minor, patch. */
  oldest: readonly number[]
  install: string
  login: string
  environment(env: Env): Promise<Record<string, string>> | Record<string, string>
  /** One sentence on why it should be able to answer, from what is present; `null` when nothing is. */
  evidenceOfLogin(env: Env): Promise<string | null>
}

/** Finds the program, asks its version and looks for a login. Never throws. */
export const detectAgent = async (facts: AgentFacts, env: Env, signal: AbortSignal): Promise<Detection> => {
  const found = await findProgram(facts.wanted, await facts.environment(env), env[facts.wanted.override], signal)
  if (found.status !== 'found') return notUsable(facts, found)
  const { version } = found.program
  if (isOlder(version, facts.oldest)) {
    const failure = incompatible(`${facts.product} ${version} is older than Parley can speak with.`)
    return card(
      { readiness: 'incompatible', version, evidence: 'answered --version', failure, remedy: facts.install },
      null,
    )
  }
  const evidence = await facts.evidenceOfLogin(env)
  if (evidence === null) {
    return card(
      {
        readiness: 'needsLogin',
        version,
        evidence: 'answered --version',
        failure: null,
        remedy: facts.login,
      },
      found.program,
    )
  }
  return card({ readiness: 'ready', version, evidence, failure: null, remedy: null }, found.program)
}

export const exists = async (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )

const notUsable = (facts: AgentFacts, found: Exclude<Found, { status: 'found' }>): Detection => {
  if (found.status === 'missing') {
    return card(
      { readiness: 'notInstalled', version: null, evidence: null, failure: null, remedy: facts.install },
      null,
    )
  }
  const sentence = {
    'other-product': `A program of that name is not ${facts.product}.`,
    late: `${facts.product} did not say its version in time.`,
    failed: `${facts.product} is there but does not start.`,
  }[found.reason]
  return card(
    {
      readiness: 'incompatible',
      version: null,
      evidence: 'failed --version',
      failure: incompatible(sentence),
      remedy: facts.install,
    },
    null,
  )
}

const card = (known: Omit<Detection['card'], 'stages' | 'checkedAt'>, program: Detection['program']): Detection => ({
  card: { ...known, stages: [], checkedAt: Date.now() },
  program,
})

const incompatible = (message: string): Failure => ({ code: 'agent.incompatible', message })

const isOlder = (version: string, oldest: readonly number[]): boolean => {
  const numbers = version.split(/[.-]/).map(Number)
  for (const [index, least] of oldest.entries()) {
    const number = numbers[index] ?? 0
    if (number !== least) return number < least
  }
  return false
}
