import { readFile } from 'node:fs/promises'
import type { AgentAdapter } from '../../adapters/ports.ts'
import { Processes } from '../../adapters/process.ts'
import type { AgentId } from '../../shared/agent.ts'
import type { GateRecord } from '../../shared/gate.ts'
import { settled, type RunStatus } from '../../shared/run.ts'
import type { TurnView } from '../../shared/view.ts'
import { TestOffice } from '../fakes/office.ts'
import { adapterOf, processesWith } from './drive.ts'
import { homeMark, type AgentHome } from './homes.ts'
import type { RealAgent } from './install.ts'

const patienceMs = 120_000

export interface OpenOffice {
  office: TestOffice
  close(): Promise<void>
}

/** Parley over real agents, each in a home of its own. */
export const openOffice = async (homes: ReadonlyMap<RealAgent, AgentHome>): Promise<OpenOffice> => {
  const processes = new Processes()
  const adapters = [...homes].map(([agent, home]) => withEnv(adapterOf(agent, processes, home), home))
  const office = new TestOffice(adapters)
  await office.start()
  return {
    office,
    async close() {
      await office.quit()
      // those that are kept between turns end with Parley's own processes
      await processes.endAll()
      office.remove()
    },
  }
}

/** Main gives every agent the same environment; here each has a home of its own. */
const withEnv = (adapter: AgentAdapter, { env }: AgentHome): AgentAdapter => ({
  ...adapter,
  open: (request, signal) => adapter.open({ ...request, env }, signal),
})

export const runEnds = (office: TestOffice, runId: string): Promise<RunStatus> =>
  office.until(async () => {
    const { run } = await office.handlers['run.open']({ runId })
    return settled(run.status) && run.status
  }, patienceMs)

export const chatWith = (office: TestOffice, agent: AgentId, allowWrite: boolean): Promise<string> =>
  office.chat(agent, { allowWrite })

export const onlyTurn = async (office: TestOffice, runId: string): Promise<TurnView> => {
  const { turns } = await office.handlers['run.open']({ runId })
  const [turn, ...more] = turns
  if (!turn || more.length > 0) throw new Error(`the run has ${turns.length} turns`)
  return turn
}

export const waitingGate = (office: TestOffice): Promise<GateRecord> =>
  office.until(async () => (await office.handlers['gate.list']({})).gates[0], patienceMs)

/** Every process that lives in this home. */
export const survivorsIn = async ({ folder }: AgentHome): Promise<number[]> => {
  const found = await Promise.all([processesWith(`HOME=${folder}`), processesWith(`${homeMark}=${folder}`)])
  return [...new Set(found.flat())]
}

/** The command lines of all that live in this home. */
export const commandsIn = async (home: AgentHome): Promise<string[]> => {
  const pids = await survivorsIn(home)
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return lines.map((line) => line.split('\0').join(' ').trim())
}
