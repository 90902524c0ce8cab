import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { acpAdapter } from '../../adapters/agents/acp.ts'
import { WarmSessions } from '../../adapters/agents/acp/warm.ts'
import type { Processes } from '../../adapters/process.ts'
import { unchecked } from '../../shared/agent.ts'
import { fakeAgent, fakeRequest } from '../adapters/acp-program.ts'
import { TestOffice } from '../fakes/office.ts'

const offices: TestOffice[] = []

afterEach(async () => {
  for (const office of offices.splice(0)) {
    await office.quit()
    office.remove()
  }
})

/** An office whose one agent tells what it has heard since it was started. */
const open = async (folder = mkdtempSync(join(tmpdir(), 'parley-warm-'))) => {
  let all: Processes | null = null
  const office = new TestOffice((processes) => {
    all = processes
    const { program } = fakeRequest('report')
    const card = { ...unchecked, readiness: 'ready' as const, stages: [] }
    // as with one that loses a session which is loaded too soon
    const agent = { ...fakeAgent, mayResume: () => false, detect: () => Promise.resolve({ card, program }) }
    return [acpAdapter(agent, processes, { openMs: 20_000, firstSignMs: 20_000, warm: new WarmSessions() })]
  }, folder)
  offices.push(office)
  await office.start()
  return { office, live: () => all?.live ?? [] }
}

const methodsIn = (text: string): string[] =>
  (JSON.parse(text) as { received: { method: string }[] }).received.map(({ method }) => method)

test('one process takes two turns of a chat; after a restart the next begins with our transcript', async () => {
  const { office, live } = await open()
  const conversationId = await office.chat()
  const turns = []
  for (const words of ['One.', 'Two.']) {
    const runId = await office.send(conversationId, words)
    turns.push(await office.turn(runId, 'rehearsal:bold', 'completed'))
    expect(await office.runEnds(runId)).toBe('completed')
    expect(live()).toHaveLength(1)
  }
  const told = turns.map(({ text }) => methodsIn(text))
  expect(told[0]).toEqual(['initialize', 'session/new', 'session/set_mode', 'session/prompt'])
  expect(told[1]).toEqual([...told[0]!, 'session/prompt'])
  const { deliveries } = await office.handlers['attempt.open']({ attemptId: turns[1]!.attemptId })
  expect(deliveries.map(({ session }) => session)).toEqual(['resumed'])
  await office.quit()
  expect(live()).toEqual([])

  const next = (await open(office.folder)).office
  const runId = await next.send(conversationId, 'Three.')
  const { text } = await next.turn(runId, 'rehearsal:bold', 'completed')
  expect(methodsIn(text)).toEqual(told[0])
  expect(text).toContain('One.')
})

test('kill -9 while an agent is kept that heeds nothing leaves nothing of it', async () => {
  const token = `test-${crypto.randomUUID()}`
  const host = join(import.meta.dirname, '../fakes/warm-host.ts')
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', host, token], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  expect(carriers(token)).toHaveLength(1)
  child.kill('SIGKILL')
  await expect.poll(() => carriers(token), { timeout: 20_000 }).toEqual([])
})

/** Whoever carries the marker of this launch. */
const carriers = (token: string): string[] =>
  readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`PARLEY_ATTEMPT=${token}`)
    } catch {
      return false
    }
  })
