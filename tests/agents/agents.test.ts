import { existsSync, readdirSync } from 'node:fs'
import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { readVote, voteInstruction } from '../../shared/vote-text.ts'
import { driveAgent, say, survivorsOf, type DrivenAgent } from './drive.ts'
import { agentVersions, installAgents } from './install.ts'
import { startMockModel, type MockModel } from './mock-model.ts'
import { script, voter } from './mock/script.ts'

/** Configures one server of further tools in this home, as a person would. */
const addServer = (kind: 'codex' | 'claude', home: string, args: readonly string[]) =>
  kind === 'codex'
    ? appendFile(
        join(home, '.codex', 'config.toml'),
        `\n[mcp_servers.probe]\ncommand = "/bin/sh"\nargs = ${JSON.stringify(args)}\n`,
      )
    : writeFile(join(home, '.claude.json'), JSON.stringify({ mcpServers: { probe: { command: '/bin/sh', args } } }))

const grant = { effect: 'grant', note: null } as const
const driven: DrivenAgent[] = []
let model: MockModel
let files: { codex: string; claude: string }

beforeAll(async () => {
  model = await startMockModel()
  files = await installAgents()
})

afterEach(async () => {
  await Promise.all(driven.splice(0).map((agent) => agent.leave()))
})

afterAll(() => model.close())

describe.each(['codex', 'claude'] as const)('the real %s', (kind) => {
  const drive = async (url = model.url) => {
    const agent = await driveAgent(kind, files[kind], url)
    driven.push(agent)
    return agent
  }

  test('is found by its version and its key', async () => {
    const agent = await drive()
    const { card } = await agent.adapter.detect(AbortSignal.timeout(30_000))
    expect(card).toMatchObject({ readiness: 'ready', version: agentVersions[kind], failure: null })
  })

  test('answers a turn in pieces, with its reasoning and what it used', async () => {
    const { session } = await (await drive()).open()
    const heard = await say(
      session,
      `Hello. ${script({ think: 'I greet.', say: 'Good morning to everybody at this table.' })}`,
    )
    expect(heard.end).toEqual({ status: 'completed' })
    expect(heard.text).toBe('Good morning to everybody at this table.')
    expect(heard.events.filter((event) => event.type === 'text').length).toBeGreaterThan(1)
    expect(
      heard.events
        .filter((event) => event.type === 'reasoning')
        .map((event) => event.delta)
        .join(''),
    ).toBe('I greet.')
    expect(heard.events.findLast((event) => event.type === 'usage')?.usage).toMatchObject({
      inputTokens: 1_200,
      cachedTokens: 200,
      outputTokens: 34,
      provenance: 'reported',
    })
    expect(await session.close()).toMatchObject({ killed: 0 })
  })

  test('counts each turn by itself and sends the whole history when resumed', async () => {
    const agent = await drive()
    const first = await agent.open()
    await say(first.session, `The word is apricot. ${script({ say: 'Noted.' })}`)
    await say(first.session, `And the number is nine. ${script({ say: 'Noted too.' })}`)
    await first.session.close()
    const { session } = await agent.open({ resume: first.session.native.id })
    expect(session.native).toEqual({ id: first.session.native.id, resumed: true })
    const heard = await say(session, `What was it? ${script({ say: 'Apricot, nine.' })}`)
    expect(heard.events.findLast((event) => event.type === 'usage')?.usage).toMatchObject({
      inputTokens: 1_200,
      outputTokens: 34,
    })
    const sent = model.requests.at(-1)
    expect(sent?.prompts.map((prompt) => prompt.split('Script:')[0]?.trim())).toEqual([
      'The word is apricot.',
      'And the number is nine.',
      'What was it?',
    ])
    expect(JSON.stringify(sent?.body)).toContain('Noted too.')
  })

  test('says that an unknown session is lost, and leaves nothing alive', async () => {
    const agent = await drive()
    const opening = agent.open({ resume: '11111111-2222-4333-8444-555555555555' })
    await expect(opening).rejects.toMatchObject({ code: 'agent.session-lost' })
  })

  test('writes nothing in read-only mode, whatever it tries', async () => {
    const agent = await drive()
    const { session } = await agent.open({ allowWrite: false })
    const notes = join(agent.home.cwd, 'notes.txt')
    const heard = await say(
      session,
      script(
        { run: 'echo one > one.txt; echo two' },
        { write: { path: notes, content: 'hello' } },
        { say: 'I could not.' },
      ),
      grant,
    )
    expect(heard.end).toEqual({ status: 'completed' })
    expect(heard.asked).toEqual([])
    expect(readdirSync(agent.home.cwd)).toEqual([])
    expect(heard.events.some((event) => event.type === 'tool' && event.tool.status === 'denied')).toBe(true)
  })

  test('starts no server of further tools in read-only mode, and does in write mode', async () => {
    const agent = await drive()
    const started = join(agent.home.env.HOME ?? '', 'started')
    await addServer(kind, agent.home.env.HOME ?? '', ['-c', `touch '${started}'; cat`])
    const readOnly = await agent.open({ allowWrite: false })
    await say(readOnly.session, script({ say: 'Hello.' }))
    await readOnly.session.close()
    expect(existsSync(started)).toBe(false)
    const writing = await agent.open({ allowWrite: true })
    await say(writing.session, script({ say: 'Hello.' }))
    await expect.poll(() => existsSync(started), { timeout: 5_000 }).toBe(true)
  })

  test('writes nothing in a session that was begun for writing and is resumed read-only', async () => {
    const agent = await drive()
    const first = await agent.open({ allowWrite: true })
    await say(first.session, script({ say: 'Hello.' }))
    await first.session.close()
    const { session } = await agent.open({ allowWrite: false, resume: first.session.native.id })
    await say(session, script({ run: 'touch made.txt' }, { say: 'I could not.' }), grant)
    expect(readdirSync(agent.home.cwd).filter((name) => !name.startsWith('.'))).toEqual([])
  })

  test('asks in write mode, and does what was granted', async () => {
    const agent = await drive()
    const { session } = await agent.open({ allowWrite: true })
    const notes = join(agent.home.cwd, 'notes.txt')
    const heard = await say(
      session,
      script(
        { say: 'I begin.', run: 'touch made.txt' },
        { write: { path: notes, content: 'hello' } },
        { say: 'Both are there.' },
      ),
      grant,
    )
    expect(heard.asked.map(({ kind: tool, title, detail }) => [tool, title, detail.split('\n')[0]])).toEqual([
      ['execute', 'run a command', 'touch made.txt'],
      ['edit', 'edit a file', kind === 'codex' ? 'add notes.txt' : 'notes.txt'],
    ])
    expect((await readFile(notes, 'utf8')).trim()).toBe('hello')
    expect(existsSync(join(agent.home.cwd, 'made.txt'))).toBe(true)
    expect(heard.text).toBe('I begin.\n\nBoth are there.')
  })

  test('does not do what was denied, hears why, and goes on', async () => {
    const agent = await drive()
    const { session } = await agent.open({ allowWrite: true })
    const heard = await say(session, script({ run: 'touch made.txt' }, { say: 'Then not.' }), {
      effect: 'deny',
      note: 'Not in this folder.',
    })
    expect(heard.end).toEqual({ status: 'completed' })
    expect(heard.text).toContain('Then not.')
    expect(readdirSync(agent.home.cwd).filter((name) => !name.startsWith('.'))).toEqual([])
    expect(heard.events.findLast((event) => event.type === 'tool')?.tool.status).toBe('denied')
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('Not in this folder.')
  })

  test('votes by the code word that its prompt names', async () => {
    const voting = await startMockModel(voter({ choice: 'agree', position: 'tabs, two wide' }))
    const { session } = await (await drive(voting.url)).open()
    const nonce = 'k3-apricot'
    const heard = await say(session, `What do we indent with?\n\n${voteInstruction(nonce)}`)
    await voting.close()
    const { reading, text } = readVote(heard.text, nonce)
    expect(text.trim()).toBe('I stand for tabs, two wide.')
    expect(reading.vote).toMatchObject({ choice: 'agree', position: 'tabs, two wide', changed: false })
  })

  test('is not left to try a wrong key for minutes', async () => {
    const { session } = await (await drive(model.faultUrl('401'))).open()
    const heard = await say(session, script({ say: 'never' }))
    expect(heard.end).toMatchObject({
      status: 'failed',
      failure: { code: 'agent.unauthorized', params: { status: 401 } },
    })
    expect(heard.events.filter((event) => event.type === 'retrying')).toHaveLength(3)
    expect(heard.text).toBe('')
  })

  test('shows that it must wait for a rate limit, and answers after it', async () => {
    const { session } = await (await drive(model.faultUrl(`429r1x${kind === 'codex' ? 1 : 2}`))).open()
    const heard = await say(session, script({ say: 'At last.' }))
    expect(heard.end).toEqual({ status: 'completed' })
    expect(heard.text).toBe('At last.')
    expect(heard.events.find((event) => event.type === 'retrying')).toMatchObject({
      attempt: 1,
      failure: { code: 'agent.rate-limited' },
    })
  })

  test('is stopped in the middle of a tool, and no process of it survives', async () => {
    const agent = await drive()
    const { session, token } = await agent.open({ allowWrite: true })
    const running = Promise.withResolvers<void>()
    const turn = say(session, script({ run: 'tail -f /dev/null' }, { say: 'never' }), grant, (event) => {
      if (event.type === 'asked') setTimeout(running.resolve, 0)
    })
    await running.promise
    await expect.poll(() => survivorsOf(token).then((pids) => pids.length), { timeout: 10_000 }).toBeGreaterThan(1)
    const stopped = performance.now()
    await session.close()
    expect(performance.now() - stopped).toBeLessThan(5_000)
    expect((await turn).end).toEqual({ status: 'cancelled' })
    expect(await survivorsOf(token)).toEqual([])
  })
})
