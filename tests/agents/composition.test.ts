import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { claudeAdapter } from '../../adapters/agents/claude.ts'
import { codexAdapter } from '../../adapters/agents/codex.ts'
import { Processes } from '../../adapters/process.ts'
import type { AgentId } from '../../shared/agent.ts'
import type { TurnView } from '../../shared/view.ts'
import { TestOffice } from '../fakes/office.ts'
import { agentHome, type AgentHome } from './homes.ts'
import { installAgents } from './install.ts'
import { script, voter, type Asked } from './mock/script.ts'
import { startMockModel, type MockModel } from './mock-model.ts'

let model: MockModel
let files: { codex: string; claude: string }
const homes: AgentHome[] = []
const offices: TestOffice[] = []

beforeAll(async () => {
  model = await startMockModel()
  files = await installAgents()
})

afterEach(async () => {
  for (const office of offices.splice(0)) {
    await office.quit()
    office.remove()
  }
  for (const home of homes.splice(0)) await home.remove()
})

afterAll(() => model.close())

/** Parley over the two real agents, each in a home of its own, both with the same model server. */
const openOffice = async ({ url = model.url } = {}) => {
  const [codexHome, claudeHome] = await Promise.all([agentHome('codex', url), agentHome('claude', url)])
  homes.push(codexHome, claudeHome)
  const processes = new Processes()
  const codexEnv = { ...codexHome.env, PARLEY_CODEX: files.codex }
  const claudeEnv = { ...claudeHome.env, PARLEY_CLAUDE: files.claude }
  const adapters = [
    withEnv(codexAdapter({ processes, env: codexEnv }), codexEnv),
    withEnv(claudeAdapter({ processes, env: claudeEnv }), claudeEnv),
  ]
  const office = new TestOffice(adapters)
  offices.push(office)
  await office.start()
  return office
}

/** Main gives every agent the same environment; here each has a home of its own. */
const withEnv = <Adapter extends ReturnType<typeof codexAdapter>>(
  adapter: Adapter,
  env: Record<string, string>,
): Adapter => ({
  ...adapter,
  open: (request, signal) => adapter.open({ ...request, env }, signal),
})

const chatWith = async (office: TestOffice, agent: AgentId, allowWrite = false) =>
  (
    await office.handlers['conversation.create']({
      kind: 'direct',
      name: null,
      members: [agent],
      workdir: office.folder,
      allowWrite,
      settings: null,
    })
  ).conversationId

const onlyTurn = async (office: TestOffice, runId: string): Promise<TurnView> => {
  const { turns } = await office.handlers['run.open']({ runId })
  expect(turns).toHaveLength(1)
  return turns[0] as TurnView
}

const waitingGate = (office: TestOffice) =>
  office.until(async () => (await office.handlers['gate.list']({})).gates[0], 30_000)

describe.each(['codex', 'claude'] as const)('Parley with the real %s', (agent) => {
  test('has a chat that goes on in the same native session', async () => {
    const office = await openOffice()
    const conversationId = await chatWith(office, agent)
    const first = await office.send(conversationId, `The word is apricot. ${script({ say: 'Noted.' })}`)
    expect(await office.runEnds(first)).toBe('completed')
    expect(await onlyTurn(office, first)).toMatchObject({
      text: 'Noted.',
      failure: null,
      usage: { provenance: 'reported' },
    })
    const second = await office.send(conversationId, `Which word? ${script({ say: 'Apricot.' })}`)
    expect(await office.runEnds(second)).toBe('completed')
    expect((await onlyTurn(office, second)).text).toBe('Apricot.')
    expect(JSON.stringify(model.requests.at(-1))).toContain('The word is apricot')
    const { deliveries } = await office.handlers['attempt.open']({
      attemptId: (await onlyTurn(office, second)).attemptId,
    })
    expect(deliveries.map(({ session }) => session)).toEqual(['resumed'])
  })

  test('asks before it writes: a gate that is granted lets it, one that is denied does not', async () => {
    const office = await openOffice()
    const conversationId = await chatWith(office, agent, true)
    const made = join(office.folder, 'made.txt')
    const granted = await office.send(conversationId, `Make it. ${script({ run: 'touch made.txt' }, { say: 'Made.' })}`)
    const gate = await waitingGate(office)
    expect(gate).toMatchObject({ kind: 'permission', status: 'waiting', asker: { agent } })
    expect(gate.detail).toContain('touch made.txt')
    expect(existsSync(made)).toBe(false)
    await office.handlers['gate.answer']({ gateId: gate.gateId, optionId: 'allow', note: null })
    expect(await office.runEnds(granted)).toBe('completed')
    expect(existsSync(made)).toBe(true)

    const denied = await office.send(
      conversationId,
      `Again. ${script({ run: 'touch other.txt' }, { say: 'Then not.' })}`,
    )
    const second = await waitingGate(office)
    await office.handlers['gate.answer']({ gateId: second.gateId, optionId: 'deny-with-note', note: 'Not today.' })
    expect(await office.runEnds(denied)).toBe('completed')
    expect(existsSync(join(office.folder, 'other.txt'))).toBe(false)
    expect((await onlyTurn(office, denied)).denials).toBe(1)
  })

  test('cannot write in a conversation that is read-only', async () => {
    const office = await openOffice()
    const runId = await office.send(
      await chatWith(office, agent),
      `Make it. ${script({ run: 'touch made.txt' }, { say: 'Tried.' })}`,
    )
    const end = await Promise.race([office.runEnds(runId), waitingGate(office).catch(() => null)])
    if (typeof end !== 'string' && end)
      await office.handlers['gate.answer']({ gateId: end.gateId, optionId: 'deny', note: null })
    await office.runEnds(runId)
    expect(existsSync(join(office.folder, 'made.txt'))).toBe(false)
  })

  test('is shown as not logged in when its key is refused, and is not tried again', async () => {
    const office = await openOffice({ url: model.faultUrl('401') })
    const runId = await office.send(await chatWith(office, agent), `Hello. ${script({ say: 'Never said.' })}`)
    expect(await office.runEnds(runId)).toBe('failed')
    expect(await onlyTurn(office, runId)).toMatchObject({ tries: 1, text: '', failure: { code: 'agent.unauthorized' } })
  })

  test('is stopped in the middle of a tool, and nothing of it is alive when the run says stopped', async () => {
    const office = await openOffice()
    const conversationId = await chatWith(office, agent, true)
    const runId = await office.send(
      conversationId,
      `Wait. ${script({ run: 'tail -f /dev/null' }, { say: 'Never said.' })}`,
    )
    const gate = await waitingGate(office)
    await office.handlers['gate.answer']({ gateId: gate.gateId, optionId: 'allow', note: null })
    await office.until(async () => {
      const { output } = await office.handlers['attempt.open']({ attemptId: (await onlyTurn(office, runId)).attemptId })
      return output.some(({ item }) => item.type === 'tool' && item.tool.status === 'running')
    }, 30_000)
    await office.handlers['run.stop']({ runId })
    expect(await office.runEnds(runId)).toBe('stopped')
    expect(survivors()).toEqual([])
  })
})

test('the real Codex and the real Claude confer for two rounds and agree', async () => {
  const votes = await startMockModel(agreesInRoundTwo)
  try {
    const office = await openOffice({ url: votes.url })
    const { conversationId } = await office.handlers['conversation.create']({
      kind: 'group',
      name: null,
      members: ['codex', 'claude'],
      workdir: office.folder,
      allowWrite: false,
      settings: { rounds: 4, blindFirst: false },
    })
    const runId = await office.send(conversationId, 'Redis or Postgres for the job queue?')
    expect(await office.runEnds(runId)).toBe('agreed')
    const { turns, run } = await office.handlers['run.open']({ runId })
    expect(run.round).toBe(2)
    expect(turns.map(({ agent, round, status, vote }) => [agent, round, status, vote?.choice])).toEqual([
      ['codex', 1, 'completed', 'continue'],
      ['claude', 1, 'completed', 'continue'],
      ['codex', 2, 'completed', 'agree'],
      ['claude', 2, 'completed', 'agree'],
    ])
    for (const { text } of turns) expect(text).not.toContain('parley-vote')
  } finally {
    await votes.close()
  }
}, 120_000)

/** The pretended model's vote: it goes on in the first round and agrees in the second. */
const agreesInRoundTwo = (asked: Asked) => {
  const round = Number(/- Round: (\d+)/.exec(asked.prompts.at(-1) ?? '')?.[1] ?? 1)
  return voter({ choice: round >= 2 ? 'agree' : 'continue', position: 'Use Postgres' })(asked)
}

/** Every process that lives in one of the homes of this test. */
const survivors = (): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      const variables = new Set(readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0'))
      return homes.some(({ env }) => variables.has(`HOME=${env.HOME}`))
    } catch {
      return false
    }
  })
