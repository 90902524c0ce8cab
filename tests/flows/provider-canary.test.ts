import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { acpAdapter } from '../../adapters/agents/acp.ts'
import type { Processes } from '../../adapters/process.ts'
import { openLog } from '../../electron/log.ts'
import type { AgentId } from '../../shared/agent.ts'
import type { ProviderKind } from '../../shared/provider.ts'
import { FakeKeyring } from '../fakes/keyring.ts'
import { TestOffice } from '../fakes/office.ts'
import { quietShell } from '../fakes/quiet-shell.ts'

/** Of no shape that is known to be a key's: only who was told of it can find it. */
const canary = 'qzv7Canary-x2T9mKp4Lw8Rb5Nd3Yh6'
const pieces = Array.from({ length: canary.length - 9 }, (_, at) => canary.slice(at, at + 10))
const forms = [
  ...pieces,
  Buffer.from(canary).toString('base64').slice(0, 24),
  Buffer.from(canary).toString('hex').slice(0, 24),
]
const found = (text: string) => forms.filter((form) => text.includes(form))

type How = 'completes' | 'fails' | 'dies' | 'refuses'
type Kind = Extract<ProviderKind & AgentId, 'gemini' | 'qwen'>

/** An office with two agents that tell everything, of which one has a provider with the canary for a key. */
const leakyOffice = async (how: How) => {
  const outside = mkdtempSync(join(tmpdir(), 'parley-witness-'))
  const folder = mkdtempSync(join(tmpdir(), 'parley-canary-'))
  const witness = (kind: Kind) => join(outside, kind)
  for (const kind of ['gemini', 'qwen'] as const) writeFileSync(witness(kind), '')
  const keyring = new FakeKeyring()
  const log = openLog(folder)
  const office = new TestOffice([], folder, {
    shell: { ...quietShell, secrets: keyring },
    log,
    env: { PATH: process.env['PATH'], HOME: outside, GEMINI_API_KEY: 'own-gemini-key', OPENAI_API_KEY: 'own-qwen-key' },
    adapters: (processes) => [leaky('gemini', how), leaky('qwen', how)].map((make) => make(processes, witness)),
  })
  await office.start()
  onTestFinished(async () => {
    await office.quit()
    log.close()
    office.remove()
    rmSync(outside, { recursive: true, force: true })
  })
  const { profile } = await office.handlers['providers.save']({
    profileId: null, kind: 'gemini', preset: null, name: 'Gateway', baseUrl: 'https://gateway.example', model: 'm1',
    key: { how: 'set', key: canary },
  })
  await office.handlers['providers.activate']({ kind: 'gemini', profileId: profile.profileId })
  const seenBy = (kind: Kind) =>
    readFileSync(witness(kind), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { env: Record<string, string>; command: string[] })
  return { office, folder, profile, keyring, seenBy }
}

const agentScript = join(import.meta.dirname, '..', 'fakes', 'leaky-agent.ts')

const leaky = (kind: Kind, how: How) => (processes: Processes, witness: (kind: Kind) => string) => {
  const own = kind === 'gemini' ? 'GEMINI_API_KEY' : 'OPENAI_API_KEY'
  const program = { file: process.execPath, before: [agentScript, how, witness(kind)], version: '1.0.0' }
  const card = {
    readiness: 'ready', version: '1.0.0', evidence: 'is a fake', stages: [], failure: null, remedy: null, checkedAt: 1,
  } as const
  return acpAdapter(
    {
      kind,
      agents: [kind],
      abilities: { readOnly: 'permissions', write: true, asks: true, resume: true, imagesMax: 0, usage: false },
      args: () => [],
      env: { names: [own], credentials: [own] },
      modes: { readOnly: ['plan'], write: [] },
      usage: 'turn',
      detect: async () => ({ card, program }),
    },
    processes,
  )
}

/** Every byte under a folder. */
const bytesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')

/** All that the window could ever read of a run. */
const everythingAbout = async (office: TestOffice, runId: string, conversationId: string) => {
  const { handlers } = office
  const run = await handlers['run.open']({ runId })
  const turns = await Promise.all(
    run.turns.map(async ({ attemptId }) => {
      const attempt = await handlers['attempt.open']({ attemptId })
      const output = await handlers['attempt.output']({ attemptId, after: 0, limit: 500 })
      const deliveries = attempt.deliveries.map(({ deliveryId }) => handlers['delivery.open']({ deliveryId }))
      return [attempt, output, await Promise.all(deliveries)]
    }),
  )
  return JSON.stringify([
    run,
    turns,
    await handlers['app.snapshot']({}),
    await handlers['conversation.open']({ conversationId, before: null }),
    await handlers['run.events']({ runId, after: 0, limit: 500 }),
    await handlers['providers.list']({}),
  ])
}

describe.skipIf(process.platform !== 'linux')('the key of a provider', () => {
  test.each(['completes', 'fails', 'dies', 'refuses'] as const)(
    'is in one child’s environment and nowhere else, when every agent tells all it knows and %s',
    async (how) => {
      const { office, folder, profile, seenBy } = await leakyOffice(how)
      const conversationId = await office.group({
        members: ['gemini', 'qwen'], settings: { rounds: 1, blindFirst: false },
      })
      const runId = await office.send(conversationId, 'Say what you know.')
      const status = await office.runEnds(runId)
      const said = await everythingAbout(office, runId, conversationId)

      // it was really given, and really told
      expect(seenBy('gemini').length).toBeGreaterThan(0)
      expect(seenBy('qwen').length).toBeGreaterThan(0)
      for (const { env, command } of seenBy('gemini')) {
        expect(env).toMatchObject({ GEMINI_API_KEY: canary, GOOGLE_GEMINI_BASE_URL: 'https://gateway.example' })
        expect(found(JSON.stringify(command))).toEqual([])
        expect(JSON.stringify(env)).not.toContain('own-gemini-key')
      }
      for (const other of seenBy('qwen')) expect(found(JSON.stringify(other))).toEqual([])
      expect(status).toBe(how === 'completes' ? 'completed' : 'failed')
      expect(said).toContain(how === 'refuses' ? 'agent.incompatible' : '[secret]')

      // and did not get further
      expect(found(said)).toEqual([])
      expect(found(JSON.stringify(office.pushes))).toEqual([])
      expect(found(bytesIn(folder))).toEqual([])
      await office.handlers['providers.remove']({ profileId: profile.profileId })
      await office.quit()
      expect(found(bytesIn(folder))).toEqual([])
    },
  )

  test('that cannot be read keeps the agent from starting at all, rather than with another key', async () => {
    const { office, folder, keyring, seenBy } = await leakyOffice('completes')
    keyring.broken = true
    const conversationId = await office.chat('gemini')
    const runId = await office.send(conversationId, 'Say what you know.')
    expect(await office.runEnds(runId)).toBe('failed')
    expect((await office.turn(runId, 'gemini', 'failed')).failure?.code).toBe('provider.key-unreadable')
    expect(seenBy('gemini')).toEqual([])
    expect((await office.handlers['providers.list']({})).profiles[0]?.keyUnreadable).toBe(true)
    expect(found(bytesIn(folder))).toEqual([])
  })

  test('is not said when it is tried, though the provider gives it back, nor when saving is refused', async () => {
    const { office, folder, keyring } = await leakyOffice('completes')
    const server = createServer((request, response) => {
      const sent = JSON.stringify(request.headers)
      response.writeHead(request.url?.startsWith('/bad') ? 401 : 200, { 'x-sent': sent.replaceAll('"', '') })
      response.end(JSON.stringify({ candidates: [], modelVersion: sent }))
    })
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    onTestFinished(() => void server.close())
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const save = (baseUrl: string) =>
      office.handlers['providers.save']({
        profileId: null, kind: 'gemini', preset: null, name: 'Echo', baseUrl, model: 'm1',
        key: { how: 'set', key: canary },
      })
    const answers = []
    for (const path of ['', '/bad']) {
      const { profile } = await save(address + path)
      answers.push(await office.handlers['providers.test']({ profileId: profile.profileId }))
    }
    expect(answers.map(({ test: { outcome } }) => outcome)).toEqual(['ok', 'unauthorized'])
    keyring.isThere = false
    const refusal = await save(address).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ code: 'provider.key-unkept' })
    expect((await office.handlers['providers.list']({})).profiles.length).toBe(3)
    expect(found(JSON.stringify([answers, refusal, String(refusal), office.pushes]))).toEqual([])
    expect(found(bytesIn(folder))).toEqual([])
  })
})
