import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { acpAdapter } from '../../../adapters/agents/acp.ts'
import type { TurnImage } from '../../../adapters/ports.ts'
import { fakeAgent, fakeRequest } from '../acp-program.ts'
import type { TapeEntry } from '../../fakes/tape.ts'
import { codexEnds, codexGreeting, codexSays, codexTurn, openFake, processes, say } from './fake-agent.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-images-'))
const content = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0x00])
const images: TurnImage[] = [
  { file: join(folder, 'one.png'), mime: 'image/png' },
  { file: join(folder, 'two.jpg'), mime: 'image/jpeg' },
]
for (const { file } of images) writeFileSync(file, content)
const gone: TurnImage[] = [{ file: join(folder, 'gone.png'), mime: 'image/png' }]
const base64 = content.toString('base64')

afterAll(() => processes.endAll())

const openers = {
  codex: () =>
    openFake('codex', [
      ...codexGreeting(),
      { dir: '->', msg: { remember: 'INPUT' } },
      ...codexTurn.slice(1),
      codexSays('INPUT'),
      codexEnds('completed'),
    ]),
  claude: () =>
    openFake('claude', [
      { dir: '->', msg: { request_id: 'hello' } },
      {
        dir: '<-',
        msg: { type: 'control_response', response: { subtype: 'success', request_id: 'hello', response: {} } },
      },
      { dir: '->', msg: { remember: 'INPUT' } },
      {
        dir: '<-',
        msg: { type: 'result', subtype: 'success', is_error: false, session_id: 'session-of-it', result: 'INPUT' },
      },
    ] satisfies TapeEntry[]),
  acp: (scenario = 'report') =>
    acpAdapter(fakeAgent, processes).open(fakeRequest(scenario), new AbortController().signal),
}

describe.concurrent('images of a turn', () => {
  test('go to Codex as files', async () => {
    const { text, end } = await say(await openers.codex(), null, () => {}, images)
    expect(end).toEqual({ status: 'completed' })
    expect((JSON.parse(text) as { params: { input: unknown } }).params.input).toEqual([
      { type: 'text', text: 'Say it.', text_elements: [] },
      { type: 'localImage', path: images[0]!.file },
      { type: 'localImage', path: images[1]!.file },
    ])
  })

  test('go to Claude Code as blocks with their content', async () => {
    const { text, end } = await say(await openers.claude(), null, () => {}, images)
    expect(end).toEqual({ status: 'completed' })
    expect((JSON.parse(text) as { message: { content: unknown } }).message.content).toEqual([
      { type: 'text', text: 'Say it.' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: base64 } },
      { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: base64 } },
    ])
  })

  test('go over ACP as blocks with their content', async () => {
    const { text, end } = await say(await openers.acp(), null, () => {}, images)
    expect(end).toEqual({ status: 'completed' })
    const { received } = JSON.parse(text) as { received: { method: string; params: { prompt: unknown } }[] }
    expect(received.at(-1)?.params.prompt).toEqual([
      { type: 'text', text: 'Say it.' },
      { type: 'image', mimeType: 'image/png', data: base64 },
      { type: 'image', mimeType: 'image/jpeg', data: base64 },
    ])
  })

  test('are refused before anything is sent where the agent did not say that it takes them', async () => {
    const session = await openers.acp('blind')
    const refused = await say(session, null, () => {}, images)
    expect(refused.end).toMatchObject({ status: 'failed', failure: { code: 'turn.images-unsupported' } })
    const { text } = await say(session)
    expect(text).toBe('')
    expect(refused.events.map(({ type }) => type)).toEqual(['session'])
  })

  test.each(['codex', 'claude', 'acp'] as const)('are missed before anything is sent to %s', async (kind) => {
    const { end, events } = await say(await openers[kind](), null, () => {}, gone)
    expect(end).toMatchObject({ status: 'failed', failure: { code: 'turn.image-unreadable' } })
    expect(events.filter(({ type }) => type === 'text')).toEqual([])
    expect(JSON.stringify(end)).not.toContain(folder)
  })
})
