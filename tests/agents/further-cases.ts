import { existsSync } from 'node:fs'
import { appendFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readVote, voteInstruction } from '../../shared/vote-text.ts'
import { driveAgent, say } from './drive.ts'
import type { InUse } from './in-use.ts'
import { startMockModel } from './mock-model.ts'
import { script, voter } from './mock/script.ts'

type Both = 'codex' | 'claude'

export const startsNoServersWhileItMayOnlyRead = (inUse: InUse, name: Both) =>
  test('starts no server of further tools while it may only read, and does when it may write', async () => {
    // its configuration is changed, and so it has a home of its own
    const agent = await driveAgent(name, inUse.model.urlFor(name))
    try {
      const started = join(agent.home.folder, 'started')
      await addServer(name, agent.home.folder, ['-c', `touch '${started}'; cat`])
      const cwd = await agent.home.newFolder()
      const readOnly = await agent.open({ cwd })
      await say(readOnly.session, { prompt: script({ say: 'Hello.' }) })
      await readOnly.session.close()
      expect(existsSync(started)).toBe(false)
      const writing = await agent.open({ cwd, allowWrite: true })
      await say(writing.session, { prompt: script({ say: 'Hello.' }) })
      await expect.poll(() => existsSync(started), { timeout: 20_000 }).toBe(true)
    } finally {
      await agent.leave()
    }
  })

export const triesAWrongKeyNoMoreThanThreeTimes = (inUse: InUse, name: Both) =>
  test('tries a wrong key three times and no more', async () => {
    const { agent, model } = inUse
    await agent.home.pointAt(model.urlFor(name, '401'))
    const { session } = await agent.open({ cwd: await agent.home.newFolder() })
    const heard = await say(session, { prompt: script({ say: 'never' }) })
    expect(heard.end).toMatchObject({
      status: 'failed',
      failure: { code: 'agent.unauthorized', params: { status: 401 } },
    })
    expect(heard.events.filter((event) => event.type === 'retrying')).toHaveLength(3)
    expect(heard.text).toBe('')
  })

export const votesByTheCodeWord = (inUse: InUse, name: Both) =>
  test('votes by the code word that its prompt names, and counts each turn by itself', async () => {
    const { agent } = inUse
    const voting = await startMockModel(voter({ choice: 'agree', position: 'tabs, two wide' }))
    await agent.home.pointAt(voting.urlFor(name))
    const { session } = await agent.open({ cwd: await agent.home.newFolder() })
    const nonce = 'k3-apricot'
    await say(session, { prompt: `First, hello. ${script({ say: 'Hello.' })}` })
    const heard = await say(session, { prompt: `What do we indent with?\n\n${voteInstruction(nonce)}` })
    await voting.close()
    const { reading, text } = readVote(heard.text, nonce)
    expect(text.trim()).toBe('I stand for tabs, two wide.')
    expect(reading.vote).toMatchObject({ choice: 'agree', position: 'tabs, two wide', changed: false })
    expect(heard.events.findLast((event) => event.type === 'usage')?.usage).toMatchObject({
      inputTokens: 1_200,
      cachedTokens: 200,
      outputTokens: 34,
    })
  })

/** Configures one server of further tools in this home, as a person would. */
const addServer = (name: Both, home: string, args: readonly string[]) =>
  name === 'codex'
    ? appendFile(
        join(home, '.codex', 'config.toml'),
        `\n[mcp_servers.probe]\ncommand = "/bin/sh"\nargs = ${JSON.stringify(args)}\n`,
      )
    : writeFile(join(home, '.claude.json'), JSON.stringify({ mcpServers: { probe: { command: '/bin/sh', args } } }))
