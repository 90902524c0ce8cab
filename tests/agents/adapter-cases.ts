import { existsSync, readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { AgentEvent } from '../../shared/agent-event.ts'
import { traits, type CaseName } from './cases.ts'
import { say } from './drive.ts'
import type { InUse } from './in-use.ts'
import { agentPackages } from './install.ts'
import { script } from './mock/script.ts'
import type { SpokenAgent } from './mock/tools.ts'

type Case = (inUse: InUse, name: SpokenAgent) => Promise<void>

const grant = { effect: 'grant', note: null } as const

/** The cases that need no more than an agent's adapter. */
export const adapterCases = {
  async found({ agent }, name) {
    const { card } = await agent.adapter.detect(AbortSignal.timeout(60_000))
    expect(card).toMatchObject({ readiness: 'ready', version: agentPackages[name].version, failure: null })
  },

  async answers({ agent }, name) {
    const session = await openedFor(agent)
    const heard = await say(session, {
      prompt: `Hello. ${script({ think: '**Manners** I greet.', say: 'Good morning to everybody at this table.' })}`,
    })
    expect(heard.end).toEqual({ status: 'completed' })
    expect(heard.text).toBe('Good morning to everybody at this table.')
    if (traits[name].inPieces) expect(heard.events.filter(({ type }) => type === 'text').length).toBeGreaterThan(1)
    expect(reasoningIn(heard.events).includes('I greet.')).toBe(traits[name].reasons)
    const usage = heard.events.findLast((event) => event.type === 'usage')?.usage
    expect(usage?.provenance).toBe(agent.adapter.abilities.usage ? traits[name].usage : undefined)
    expect((usage?.inputTokens ?? 0) > 0).toBe(agent.adapter.abilities.usage)
    expect(await session.close()).toMatchObject({ killed: 0 })
  },

  // begun for writing, so that what it was allowed then must not go on
  async resumes({ agent, model }, name) {
    const cwd = await agent.home.newFolder()
    const first = await agent.open({ cwd, allowWrite: true })
    const session = { at: Date.now(), version: null }
    await say(first.session, { prompt: `The word is apricot. ${script({ say: 'Noted.' })}` })
    await say(first.session, { prompt: `And the number is nine. ${script({ say: 'Noted too.' })}` })
    await first.session.close()
    // one of them cannot be opened again at every moment
    const mayResume = () => agent.adapter.mayResume?.(session, Date.now()) ?? true
    await expect.poll(mayResume, { timeout: 130_000, interval: 500 }).toBe(true)
    const resumed = (await agent.open({ cwd, resume: first.session.native.id })).session
    expect(resumed.native).toEqual({ id: first.session.native.id, resumed: true })
    const heard = await say(resumed, { prompt: `What was it? ${script({ run: 'touch made.txt' }, { say: 'Nine.' })}` })
    expect(heard.end).toEqual({ status: 'completed' })
    expect(readdirSync(cwd).filter((file) => !file.startsWith('.'))).toEqual([])
    const sent = askedWith(model, name, 'What was it?')
    const scripted = sent?.prompts.join('\n').match(/The word is apricot|the number is nine|What was it/g)
    expect(scripted).toEqual(['The word is apricot', 'the number is nine', 'What was it'])
    expect(JSON.stringify(sent?.body)).toContain('Noted too.')
  },

  async lost({ agent }) {
    const cwd = await agent.home.newFolder()
    const opening = agent.open({ cwd, resume: '11111111-2222-4333-8444-555555555555' })
    await expect(opening).rejects.toMatchObject({ code: 'agent.session-lost' })
  },

  async readOnly({ agent }) {
    const cwd = await agent.home.newFolder()
    const { session } = await agent.open({ cwd })
    const heard = await say(
      session,
      {
        prompt: script(
          { run: 'echo one > one.txt; echo two' },
          { write: { path: join(cwd, 'notes.txt'), content: 'hello' } },
          { say: 'I could not.' },
        ),
      },
      grant,
    )
    expect(heard.end).toEqual({ status: 'completed' })
    expect(heard.asked).toEqual([])
    expect(readdirSync(cwd)).toEqual([])
  },

  async granted({ agent }, name) {
    const cwd = await agent.home.newFolder()
    const { session } = await agent.open({ cwd, allowWrite: true })
    const notes = join(cwd, 'notes.txt')
    const heard = await say(
      session,
      {
        prompt: script(
          { say: 'I begin.', run: 'touch made.txt' },
          { write: { path: notes, content: 'hello' } },
          { say: 'Both are there.' },
        ),
      },
      grant,
    )
    expect(heard.asked.map(({ kind }) => kind)).toEqual(traits[name].asksAbout)
    expect(heard.asked[0]).toMatchObject({ title: 'run a command' })
    expect(heard.asked[0]?.detail).toContain('touch made.txt')
    if (heard.asked[1]) expect(heard.asked[1]).toMatchObject({ title: 'edit a file' })
    if (heard.asked[1]) expect(heard.asked[1].detail).toContain('notes.txt')
    expect((await readFile(notes, 'utf8')).trim()).toBe('hello')
    expect(existsSync(join(cwd, 'made.txt'))).toBe(true)
    expect(heard.text).toBe('I begin.\n\nBoth are there.')
  },

  async denied({ agent, model }, name) {
    const cwd = await agent.home.newFolder()
    const { session } = await agent.open({ cwd, allowWrite: true })
    const heard = await say(
      session,
      { prompt: script({ run: 'touch made.txt' }, { say: 'Then not.' }) },
      { effect: 'deny', note: 'Not in this folder.' },
    )
    expect(heard.end).toEqual({ status: 'completed' })
    expect(heard.text.includes('Then not.')).toBe(traits[name].goesOnAfterDenial)
    expect(readdirSync(cwd).filter((file) => !file.startsWith('.'))).toEqual([])
    expect(heard.events.findLast((event) => event.type === 'tool')?.tool.status).toBe('denied')
    const sent = JSON.stringify(model.requests(name).map(({ body }) => body))
    expect(sent.includes('Not in this folder.')).toBe(traits[name].passesNotesOn)
  },

  async image({ agent, model }, name) {
    const cwd = await agent.home.newFolder()
    const file = join(agent.home.folder, 'dot.png')
    await writeFile(file, Buffer.from(dot, 'base64'))
    const { session } = await agent.open({ cwd })
    const heard = await say(session, {
      prompt: `What is it? ${script({ say: 'A dot.' })}`,
      images: [{ file, mime: 'image/png' }],
    })
    expect(heard.end).toEqual({ status: 'completed' })
    expect(heard.text).toBe('A dot.')
    const sent = askedWith(model, name, 'What is it?')
    expect(/data:image\/png;base64|"(?:media_type|mimeType|mime_type)":"image\/png"/.test(JSON.stringify(sent?.body)))
      .toBe(true)
  },

  async limit({ agent, model }, name) {
    await agent.home.pointAt(model.urlFor(name, `429r1x${traits[name].waits}`))
    const session = await openedFor(agent)
    const heard = await say(session, { prompt: script({ say: 'At last.' }) })
    expect(heard.end).toEqual({ status: 'completed' })
    expect(heard.text).toBe('At last.')
    const waiting = heard.events.filter((event) => event.type === 'retrying')
    expect(waiting.length > 0).toBe(traits[name].saysThatItWaits)
    for (const { failure } of waiting.slice(0, 1)) expect(failure.code).toBe('agent.rate-limited')
  },
} satisfies Partial<Record<CaseName, Case>>

/** Read-only where it can be held to that. */
const openedFor = async (agent: InUse['agent']) => {
  const allowWrite = agent.adapter.abilities.readOnly === 'none'
  const { session } = await agent.open({ cwd: await agent.home.newFolder(), allowWrite })
  return session
}

const askedWith = (model: InUse['model'], name: SpokenAgent, words: string) =>
  model.requests(name).findLast(({ prompts }) => prompts.some((prompt) => prompt.includes(words)))

const reasoningIn = (events: readonly AgentEvent[]): string =>
  events.flatMap((event) => (event.type === 'reasoning' ? event.delta : [])).join('')

/** A red dot, nine by eight. */
const dot =
  'iVBORw0KGgoAAAANSUhEUgAAAAkAAAAICAIAAACkr0LiAAAAEklEQVR4nGP4z8CAC+GUGEJyAKrpR7mKyKB4AAAAAElFTkSuQmCC'
