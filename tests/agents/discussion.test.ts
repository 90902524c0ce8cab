import { afterEach, expect, test } from 'vitest'
import { caseTitles } from './cases.ts'
import { agentHome, type AgentHome } from './homes.ts'
import { installAgent, type RealAgent } from './install.ts'
import { voter, type Asked } from './mock/script.ts'
import { startMockModel, type MockModel } from './mock-model.ts'
import type { SpokenAgent } from './mock/tools.ts'
import { openOffice, runEnds, survivorsIn, type OpenOffice } from './office.ts'

const homes = new Map<RealAgent, AgentHome>()
let model: MockModel | null = null
let open: OpenOffice | null = null

afterEach(async () => {
  await open?.close()
  for (const home of homes.values()) await home.remove()
  homes.clear()
  await model?.close()
})

/** Nothing holds OpenClaw to reading, so it sits only where everybody may write. */
const tables: { agents: SpokenAgent[]; allowWrite: boolean }[] = [
  { agents: ['codex', 'claude', 'opencode', 'gemini'], allowWrite: false },
  { agents: ['qwen', 'copilot', 'kimi', 'codex'], allowWrite: false },
  { agents: ['openclaw', 'qwen', 'claude', 'codex'], allowWrite: true },
]

for (const { agents, allowWrite } of tables) {
  const meta = { conformance: { agents, name: 'confers' as const } }
  test(`${agents.join(', ')}: each ${caseTitles.confers}`, { meta }, async () => {
    model = await startMockModel(agreesInRoundTwo)
    for (const agent of agents) {
      const home = await agentHome(agent, model.urlFor(agent))
      home.env[`PARLEY_${agent.toUpperCase()}`] = await installAgent(agent)
      homes.set(agent, home)
    }
    open = await openOffice(homes)
    const { office } = open
    const settings = { rounds: 4, blindFirst: false }
    const conversationId = await office.group({ members: agents, allowWrite, settings })
    const runId = await office.send(conversationId, 'Redis or Postgres for the job queue?')
    const end = await runEnds(office, runId)
    const { turns } = await office.handlers['run.open']({ runId })
    expect(turns.map(({ agent, round, status, vote }) => [agent, round, status, vote?.choice])).toEqual([
      ...agents.map((agent) => [agent, 1, 'completed', 'continue']),
      ...agents.map((agent) => [agent, 2, 'completed', 'agree']),
    ])
    expect(end).toBe('agreed')
    for (const { text } of turns) expect(text.trim()).toBe('I stand for Use Postgres.')
    await open.close()
    expect((await Promise.all([...homes.values()].map(survivorsIn))).flat()).toEqual([])
  })
}

/** The pretended model's vote: it goes on in the first round and agrees in the second. */
const agreesInRoundTwo = (asked: Asked) => {
  const rounds = asked.prompts.join('\n').matchAll(/- Round: (\d+) of/g)
  const round = Number([...rounds].at(-1)?.[1] ?? 1)
  return voter({ choice: round >= 2 ? 'agree' : 'continue', position: 'Use Postgres' })(asked)
}
