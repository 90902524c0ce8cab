import type { ReadinessStage } from '../../shared/agent.ts'
import type { Failure } from '../../shared/errors.ts'
import { capabilityProbeMs } from '../../shared/limits.ts'
import { candidatesFor, environmentWith, type Candidate, type Search, type Wanted } from '../find-program.ts'
import { stripTerminalCodes } from '../terminal-codes.ts'
import type { Detection } from '../ports.ts'
import { thisComputer, type Computer } from '../programs/computer.ts'
import { LoginShell } from '../programs/login-shell.ts'
import { pathNameOf, type Env } from '../environment.ts'
import { cleanVersion, judgeVersion, type VersionRange } from '../programs/versions.ts'
import { credentialsOf, loginWrittenAt, notLookedFor, type Credentials } from './credentials.ts'
import { readinessOf, stageOf } from './stages.ts'

/** A key counts whatever a status command says; a login file may be stale, and then the command is believed. */
export interface Evidence {
  says: string
  of: 'key' | 'login'
}

/** What is particular to one agent's detection: data, and how to read what it says. */
export interface AgentFacts extends VersionRange {
  wanted: Wanted
  product: string
  install: string
  login: string
  environment(env: Env): Promise<Record<string, string>> | Record<string, string>
  /** Why it should be able to answer, from what is present; `null` when nothing is. A bare sentence is of a login. */
  evidenceOfLogin(env: Env): Promise<string | Evidence | null>
  /** The npm packages that it comes in: a script of any other package is another product. */
  packages?: readonly string[]
  /** Names its product in what it prints, so that a version which cannot be read may still pass by its abilities. */
  names?: RegExp
  /** Asks whether it offers what Parley speaks: it does if it ends well and the pattern is in what it prints. */
  offers?: { args: readonly string[]; pattern: RegExp }
  /** The variables that hold its keys: what the login shell exports of them is taken over when nothing else is here. */
  keys?: readonly string[]
  /** More such variables, by the person's own configuration of it. */
  keysInConfig?(env: Env): Promise<readonly string[]>
  /** Its own command for whether it is logged in. `read` gets all it printed, without colours; `null` is unknown. */
  status?: { args: readonly string[]; read(printed: string): boolean | null }
  /** Its login files: a login that is newer than a refusal ends what the refusal said. */
  loginFiles?(env: Env): readonly string[]
  /** Why Parley finds it and does not speak with it. */
  notSpokenWith?: string
}

interface Around {
  /** Shared by all agents, so that the shell is asked once. */
  shell?: LoginShell | undefined
  computer?: Computer
  /** It works with a provider profile: its own login and its keys are not looked for. */
  hasProvider?: boolean | undefined
}

interface Checked {
  fits: boolean
  stages: ReadinessStage[]
  version: string | null
  candidate: Candidate
  credentials: Credentials | null
  failure: Failure | null
  remedy: string | null
}

/** Finds the program and takes it through the stages; the first that fits counts, else the first. Never throws. */
export const detectAgent = async (
  facts: AgentFacts,
  env: Env,
  signal: AbortSignal,
  { shell = new LoginShell(env), computer = thisComputer, hasProvider = false }: Around = {},
): Promise<Detection> => {
  // all agents of one look say what they want before the first of them asks
  if (!hasProvider) {
    shell.wants(facts.keys ?? [])
    shell.wants((await facts.keysInConfig?.(env)) ?? [])
  }
  const search = { wanted: facts.wanted, env, allowed: await facts.environment(env), shell, computer, signal }
  let unfit: Checked | null = null
  for await (const candidate of candidatesFor(search)) {
    const checked = await check(facts, search, candidate, hasProvider)
    if (checked.fits) return detectionOf(facts, env, checked)
    unfit ??= checked
  }
  return unfit ? detectionOf(facts, env, unfit) : missing(facts)
}

const check = async (
  facts: AgentFacts,
  search: Search,
  candidate: Candidate,
  hasProvider: boolean,
): Promise<Checked> => {
  const { runtime, start, source } = candidate
  const version = versionOf(facts, candidate)
  const stages = [stageOf('found', 'yes', source), version.stage, stageOf('runtime', runtime.outcome, runtime.how)]
  const known = { version: version.number, candidate, credentials: null }
  const unfit = (sentence: string, probe: string, remedy = facts.install): Checked => ({
    ...known, stages, remedy, fits: false, failure: incompatible(sentence, probe),
  })
  if (runtime.outcome === 'no') {
    return unfit(`${facts.product} needs another Node. ${runtime.how}`, 'runtime', runtime.remedy ?? facts.install)
  }
  if (version.stage.outcome === 'no' || !start) return unfit(version.stage.how, 'version')
  const [offered, credentials] = await Promise.all([
    askOffer(facts, search, start),
    facts.notSpokenWith !== undefined ? null : hasProvider ? notLookedFor : credentialsOf(facts, search, start),
  ])
  const isUnknown = version.stage.outcome === 'unknown'
  if (isUnknown && offered.outcome !== 'yes') {
    const sentence = `A program of that name is not ${facts.product}.`
    stages.splice(1, 1, stageOf('version', 'no', sentence))
    return unfit(sentence, 'version')
  }
  stages.push(offered)
  if (offered.outcome === 'no' && facts.notSpokenWith === undefined) return unfit(offered.how, 'protocol')
  if (credentials) stages.push(stageOf('credentials', credentials.outcome, asSentence(credentials.how)))
  stages.push(stageOf('answered', 'unknown', 'It has not answered since Parley was started.'))
  const remedy = credentials?.outcome === 'no' ? facts.login : null
  return { ...known, stages, credentials, remedy, fits: true, failure: null }
}

/** What the answer to `--version` says; the sentence of a `no` is what the person reads. */
const versionOf = (facts: AgentFacts, { answer, runtime }: Candidate) => {
  const { product, packages, names } = facts
  const say = (outcome: ReadinessStage['outcome'], how: string, number: string | null = null) => ({
    number,
    stage: stageOf('version', outcome, how),
  })
  if (answer.status !== 'answered' || answer.code !== 0) {
    const what = answer.status === 'late' ? 'did not say its version in time' : 'is there but does not start'
    return say('no', `${product} ${what}.`)
  }
  const isOther = packages && runtime.packageName !== null && !packages.includes(runtime.packageName)
  const read = isOther ? null : cleanVersion(facts.wanted.readVersion(answer.stdout) ?? '')
  if (read === null) {
    const isNamed = !isOther && names?.test(answer.stdout) === true && facts.offers !== undefined
    return isNamed
      ? say('unknown', `${product} did not say a version that can be read.`)
      : say('no', `A program of that name is not ${product}.`)
  }
  const sentences = {
    'too-old': `${product} ${read} is older than Parley can speak with.`,
    'too-new': `${product} ${read} is newer than Parley can speak with.`,
    prerelease: `${product} ${read} is a prerelease that nobody has tried with Parley.`,
  }
  const verdict = judgeVersion(read, facts)
  return verdict === 'fits' ? say('yes', `It is ${product} ${read}.`, read) : say('no', sentences[verdict], read)
}

const askOffer = async (
  { offers, notSpokenWith, product }: AgentFacts,
  { allowed, computer, signal }: Search,
  start: NonNullable<Candidate['start']>,
): Promise<ReadinessStage> => {
  if (notSpokenWith !== undefined) return stageOf('protocol', 'no', notSpokenWith)
  if (!offers) return stageOf('protocol', 'unknown', 'Not asked: its first turn tells.')
  const end = await computer.run({
    file: start.file,
    args: [...start.before, ...offers.args],
    env: environmentWith(allowed, start.path),
    atMostMs: capabilityProbeMs,
    signal,
  })
  if (end.status === 'failed') return stageOf('protocol', 'unknown', 'It did not say in time what it offers.')
  return end.code === 0 && offers.pattern.test(stripTerminalCodes(`${end.stdout}\n${end.stderr}`))
    ? stageOf('protocol', 'yes', 'It says that it offers what Parley speaks.')
    : stageOf('protocol', 'no', `${product} does not say that it offers what Parley speaks.`)
}

const detectionOf = async (facts: AgentFacts, env: Env, checked: Checked): Promise<Detection> => {
  const { candidate, credentials, version, stages } = checked
  const start = checked.fits ? candidate.start : null
  const answered = candidate.answer.status === 'answered' && candidate.answer.code === 0
  return {
    card: {
      readiness: readinessOf(stages, facts.notSpokenWith === undefined),
      version,
      evidence: credentials?.outcome === 'yes' ? credentials.how : answered ? 'answered --version' : 'failed --version',
      stages,
      failure: checked.failure,
      remedy: checked.remedy,
      checkedAt: Date.now(),
    },
    program: start && {
      file: start.file,
      before: start.before,
      version: version ?? 'unknown',
      env: { ...credentials?.fromShell, [pathNameOf(env)]: start.path },
    },
    login: facts.login,
    loginAt: await loginWrittenAt(facts.loginFiles?.(env) ?? []),
  }
}

const missing = ({ install, product, login }: AgentFacts): Detection => ({
  card: {
    readiness: 'notInstalled',
    version: null,
    evidence: null,
    stages: [stageOf('found', 'no', `${product} is in no place that Parley knows, nor in that of your login shell.`)],
    failure: null,
    remedy: install,
    checkedAt: Date.now(),
  },
  program: null,
  login,
})

const incompatible = (message: string, probe: string): Failure => ({
  code: 'agent.incompatible',
  message,
  params: { probe },
})

const asSentence = (words: string) => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
