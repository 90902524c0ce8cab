import { parseArgs } from 'node:util'
import { AgentId, agentIds, type AgentId as Agent } from '../../shared/agent.ts'
import { AppError } from '../../shared/errors.ts'
import { Id } from '../../shared/ids.ts'
import { membersMax, roundsMax, roundsMin, topicMaxCharacters } from '../../shared/limits.ts'
import type { AppState } from '../../shared/view.ts'

export type GatePolicy = 'allow' | 'deny' | 'ask'

/** One discussion as the switches ask for it; `null` where they leave it open. */
export interface DiscussionWish {
  topic: string | null
  agents: Agent[] | null
  rounds: number | null
  blindFirst: boolean
  workdir: string | null
  allowWrite: boolean
}

export type Switches =
  | { task: 'help' }
  | { task: 'inspect'; data: string | null; json: boolean }
  | { task: 'export'; runId: string; data: string | null; json: boolean }
  | {
      task: 'open'
      /** `null`: the best that this computer has. */
      shell: AppState['shell'] | null
      data: string | null
      fetchElectron: boolean
      wish: DiscussionWish
      gates: GatePolicy | null
      json: boolean
    }

/** Reads the command line; throws `usage.bad` with one sentence. */
export const readSwitches = (args: readonly string[]): Switches => {
  const values = parsed(args)
  if (values.help) return { task: 'help' }
  refuseEmpty(values)
  const data = values.data ?? null
  const json = values.json ?? false
  const shell = readShell(values)
  if (values.inspect) return readInspection(values, data, json)
  if (values.export !== undefined) return readExport(values, values.export, data, json)
  return {
    task: 'open', shell, data, json, fetchElectron: values['fetch-electron'] ?? false,
    gates: values.gates === undefined ? null : readGates(values.gates),
    wish: {
      topic: values.topic === undefined ? null : readTopic(values.topic),
      agents: values.agents === undefined ? null : readAgents(values.agents),
      rounds: values.rounds === undefined ? null : readRounds(values.rounds),
      blindFirst: values['blind-first'] ?? false,
      workdir: values.workdir ?? null,
      allowWrite: values.write ?? false,
    },
  }
}

export const help = `Parley seats several AI agents at one table and shows how they confer.

  npm start                          opens the window, or this terminal where there is none
  npm start -- --shell=terminal      watches in this terminal

  --shell=electron|chromium|terminal what shows Parley; chosen by itself unless given
  --data=DIR                         where everything is kept (or PARLEY_DATA)
  --fetch-electron                   tries again to fetch Electron, where that failed before
  --help                             this text

One discussion in the terminal:

  --topic=TEXT                       what the agents talk about
  --agents=A,B,…                     ${agentIds.join(', ')}
  --rounds=N                         at most N rounds, ${roundsMin} to ${roundsMax} (default 6)
  --blind-first                      in round 1 nobody sees the others' answers
  --gates=allow|deny|ask             how permissions are answered; ask needs a terminal (default there), else deny
  --workdir=DIR                      where the agents work (default: the current folder)
  --write                            lets the agents change files there
  --json                             prints the outcome as one JSON object on the last line

  --inspect                          shows every stored run and starts nothing; with --json as one JSON object
  --export=RUN                       saves one settled run, by the id that --inspect shows, as a file in this folder

Exit codes: 0 settled, 1 failed, 2 bad usage, 3 interrupted.
The rehearsal agents are scripted: they need no key and no network. A word in the topic directs them, as in
[[hang:careful@2]]: persona careful, round 2; also fail, ignore-signals, flood, slow, ask, agree, disagree.
`

const options = {
  'shell': { type: 'string' },
  'data': { type: 'string' },
  'topic': { type: 'string' },
  'agents': { type: 'string' },
  'rounds': { type: 'string' },
  'gates': { type: 'string' },
  'blind-first': { type: 'boolean' },
  'workdir': { type: 'string' },
  'write': { type: 'boolean' },
  'json': { type: 'boolean' },
  'inspect': { type: 'boolean' },
  'export': { type: 'string' },
  'fetch-electron': { type: 'boolean' },
  'help': { type: 'boolean', short: 'h' },
} as const

type Values = ReturnType<typeof parsed>

const parsed = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    const sentence = message.split(/\.\s/)[0] ?? ''
    throw badUsage(`${sentence.replaceAll(/\s+/g, ' ')}. See --help.`, error)
  }
}

function refuseEmpty(values: Values) {
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === 'string' && value.trim() === '') throw badUsage(`--${name} needs a value. See --help.`)
  }
}

const onlyInTerminal = [
  'topic', 'agents', 'rounds', 'gates', 'blind-first', 'workdir', 'write', 'json', 'inspect', 'export',
] as const

function readShell(values: Values): AppState['shell'] | null {
  const asked = onlyInTerminal.find((name) => values[name] !== undefined)
  const shell = values.shell === undefined ? null : oneOf(['electron', 'chromium', 'terminal'], values.shell, 'shell')
  if (asked === undefined) return shell
  // a switch of the terminal view, without a shell, is a wish for the terminal view
  if (shell === null || shell === 'terminal') return 'terminal'
  throw badUsage(`--${asked} belongs to the terminal view; leave out --shell=${shell}.`)
}

const withInspection = new Set(['inspect', 'json', 'data', 'shell'])

function readInspection(values: Values, data: string | null, json: boolean): Switches {
  const other = Object.keys(values).find((name) => !withInspection.has(name))
  if (other) throw badUsage(`--inspect only looks at what is stored; --${other} does not go with it.`)
  return { task: 'inspect', data, json }
}

const withExport = new Set(['export', 'json', 'data', 'shell'])

function readExport(values: Values, text: string, data: string | null, json: boolean): Switches {
  const other = Object.keys(values).find((name) => !withExport.has(name))
  if (other) throw badUsage(`--export only saves what is stored; --${other} does not go with it.`)
  const runId = Id.safeParse(text)
  if (runId.success) return { task: 'export', runId: runId.data, data, json }
  throw badUsage('--export needs the id of a run, as --inspect shows it.')
}

const readGates = (text: string): GatePolicy => oneOf(['allow', 'deny', 'ask'], text, 'gates')

function readTopic(text: string): string {
  if (text.length <= topicMaxCharacters) return text
  throw badUsage(`The topic is too long: at most ${topicMaxCharacters} characters.`)
}

function readAgents(text: string): Agent[] {
  const agents = text.split(',').map((name) => {
    const agent = AgentId.safeParse(name.trim())
    if (agent.success) return agent.data
    throw badUsage(`There is no agent "${name.trim().slice(0, 40)}". There are: ${agentIds.join(', ')}.`)
  })
  if (new Set(agents).size < agents.length) throw badUsage('Each agent can sit at the table once.')
  if (agents.length < 2) throw badUsage('A discussion needs at least two agents.')
  if (agents.length > membersMax) throw badUsage(`At most ${membersMax} agents can sit at one table.`)
  return agents
}

function readRounds(text: string): number {
  const rounds = /^\d{1,2}$/.test(text) ? Number(text) : 0
  if (rounds >= roundsMin && rounds <= roundsMax) return rounds
  throw badUsage(`--rounds is a whole number from ${roundsMin} to ${roundsMax}.`)
}

function oneOf<Name extends string>(names: readonly Name[], text: string, option: string): Name {
  const name = names.find((known) => known === text)
  if (name) return name
  throw badUsage(`--${option} is one of ${names.join(', ')}.`)
}

const badUsage = (sentence: string, cause?: unknown) => new AppError('usage.bad', sentence, { cause })
