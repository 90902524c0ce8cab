import { hostname } from 'node:os'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { FakeAdapter, type Script } from '../fakes/fake-adapter.ts'
import { TestOffice } from '../fakes/office.ts'
import { quietShell } from '../fakes/quiet-shell.ts'
import { recordedRun, recordedRuns, textOfRun } from '../fakes/recorded-runs.ts'

const offices: TestOffice[] = []

afterEach(async () => {
  for (const office of offices.splice(0).toReversed()) {
    await office.quit()
    office.remove()
  }
})

interface Saved {
  name: string
  text: string
}

/** An office whose shell saves into `saved`. */
const open = async (script: Script, env: Record<string, string> = {}) => {
  const saved: Saved[] = []
  const shell = {
    ...quietShell,
    saveFile: async (name: string, text: string) => {
      saved.push({ name, text })
      return `/saved/${name}`
    },
  }
  const office = new TestOffice([new FakeAdapter(script)], undefined, { shell, env: { ...process.env, ...env } })
  offices.push(office)
  await office.start()
  return { office, saved }
}

const agrees: Script = ({ say, vote }) => {
  say('Agreed.')
  vote('agree', 'Go')
}

const silent: Script = () => {
  throw new Error('nothing may be started')
}

const canary = {
  key: 'sk-canary0123456789abcdefghij',
  secret: 'canary-of-the-environment',
  home: '/home/canaryuser',
  user: 'canaryuser',
}

test('a file holds no key, home, working folder, account or machine, wherever they were said', async () => {
  const host = hostname()
  let workdir = ''
  const everything = () =>
    `${canary.secret} at ${canary.home}/x and ${workdir}/src/a.ts, by ${canary.user}@${host}, /opt/canary/bin`
  const { office, saved } = await open(
    async ({ hear, say, ask, vote }) => {
      const words = everything()
      hear({ type: 'reasoning', delta: words.slice(0, 40) })
      hear({ type: 'reasoning', delta: words.slice(40) })
      hear({ type: 'tool', tool: { toolId: 't', kind: 'read', title: words, status: 'done', detail: words } })
      hear({ type: 'plan', entries: [{ title: words, status: 'done' }] })
      hear({ type: 'warning', text: words })
      // torn by the pieces it comes in
      for (let from = 0; from < words.length; from += 7) say(words.slice(from, from + 7))
      const { note } = await ask(words.slice(0, 300), words)
      say(`\n${note ?? ''}`)
      vote('agree', words.slice(0, 190))
    },
    { CANARY_SECRET: canary.secret, HOME: canary.home, USER: canary.user },
  )
  workdir = join(office.folder, 'canary-workdir')
  mkdirSync(workdir)
  const conversationId = await office.group({
    workdir, name: `Of ${canary.user}`, members: ['rehearsal:bold', 'rehearsal:careful'],
  })
  const runId = await office.send(conversationId, `${everything()} and ${canary.key}`)
  for (const _seat of [1, 2]) {
    const { gateId } = await office.gate()
    await office.handlers['gate.answer']({ gateId, optionId: 'deny-with-note', note: everything() })
  }
  await office.runEnds(runId)
  await office.until(async () => office.stores.gates.unsettled().length === 0)
  const preview = await office.handlers['run.preview']({ runId })
  expect(preview.replaced).toBeGreaterThan(20)
  const { path } = await office.handlers['run.export']({ runId })
  const [file] = saved
  expect(path).toBe(`/saved/${file?.name}`)
  expect(file?.name).toMatch(/^parley-of-[a-z]+-\d{4}-\d{2}-\d{2}\.json$/)
  const hidden = [canary.key, canary.secret, canary.user, 'canary-workdir', office.folder, '/opt/', `@${host}`]
  expect(hidden.filter((word) => file?.text.includes(word))).toEqual([])
  // the opposite: it was all there, and what is not of the machine is still there
  expect(office.stores.attempts.ofRun(runId).map(({ attemptId }) => office.stores.attempts.text(attemptId)).join())
    .toContain('canary-workdir')
  expect(file?.text).toContain('(working folder)/src/a.ts')
  expect(file?.text).toContain('somebody@somewhere')
})

test('another installation previews a file, keeps it, and shows the same turns, prompts and transitions', async () => {
  const { office, saved } = await open(agrees)
  const runId = await office.send(await office.group({ name: 'Of tabs' }), 'Tabs or spaces?')
  await office.runEnds(runId)
  const told = await office.handlers['run.preview']({ runId })
  await office.handlers['run.export']({ runId })
  const text = saved[0]?.text ?? ''

  const { office: other } = await open(silent)
  const preview = await other.handlers['import.preview']({ text })
  expect(preview).toEqual({ ...told, exportedAt: preview.exportedAt })
  expect(preview).toMatchObject({ name: 'Of tabs', topic: 'Tabs or spaces?', rounds: 1, messages: 4, prompts: 3 })
  expect((await other.handlers['conversation.list']({ after: null, limit: 10, query: '' })).rows).toEqual([])

  const { conversationId } = await other.handlers['import.keep']({ text })
  const mine = await office.handlers['run.open']({ runId })
  const theirs = await other.handlers['run.open']({ runId })
  expect(theirs.turns.map(({ text: words, vote, status }) => [words, vote, status])).toEqual(
    mine.turns.map(({ text: words, vote, status }) => [words, vote, status]),
  )
  expect(theirs.actors).toEqual(mine.actors)
  const page = { runId, after: 0, limit: 500 }
  const withoutPids = (events: readonly { cause: Record<string, unknown> }[]) =>
    events.map((event) => ({ ...event, cause: { ...event.cause, pid: undefined } }))
  expect(withoutPids((await other.handlers['run.events'](page)).events)).toEqual(
    withoutPids((await office.handlers['run.events'](page)).events),
  )
  for (const { attemptId } of mine.turns) {
    const [here, there] = await Promise.all(
      [office, other].map(async (one) => one.handlers['attempt.open']({ attemptId })),
    )
    expect(there?.deliveries).toEqual(here?.deliveries)
    const deliveryId = here?.deliveries[0]?.deliveryId ?? ''
    expect(await other.handlers['delivery.open']({ deliveryId })).toEqual(
      await office.handlers['delivery.open']({ deliveryId }),
    )
    const output = { attemptId, after: 0, limit: 500 }
    expect(await other.handlers['attempt.output'](output)).toEqual(await office.handlers['attempt.output'](output))
  }
  expect(await other.handlers['run.replay']({ runId })).toEqual({
    ...(await office.handlers['run.replay']({ runId })), finding: null,
  })
  expect((await other.handlers['conversation.open']({ conversationId, before: null })).row.imported).toBe(true)
})

test('what was imported starts nothing, outlives a restart, is exported alike, and can be removed', async () => {
  const text = textOfRun('gates-allowed-and-denied')
  const { office } = await open(silent)
  const { conversationId, runId } = await office.handlers['import.keep']({ text })
  const next = await office.quit().then(() => office.next())
  offices.push(next)
  const { handlers } = next
  const imported = { code: 'conversation.imported' }
  const { turns } = await handlers['run.open']({ runId })
  expect(turns.length).toBeGreaterThan(1)
  await expect(next.send(conversationId, 'Go on')).rejects.toMatchObject(imported)
  await expect(handlers['run.followUp']({ runId, seats: null, replace: {} })).rejects.toMatchObject(imported)
  await expect(handlers['conversation.update']({ conversationId, allowWrite: true })).rejects.toMatchObject(imported)
  await expect(handlers['draft.save']({ conversationId, text: 'x' })).rejects.toMatchObject(imported)
  expect((await handlers['gate.list']({})).gates).toEqual([])
  for (const { attemptId } of turns) {
    const { can } = await handlers['attempt.open']({ attemptId })
    expect(Object.values(can).filter(Boolean)).toEqual([])
  }
  expect((await handlers['app.snapshot']({})).app.recovered).toBeNull()
  expect((await handlers['run.replay']({ runId })).finding).toBeNull()
  const preview = await handlers['run.preview']({ runId })
  expect(preview).toMatchObject({ ...(await handlers['import.preview']({ text })), exportedAt: preview.exportedAt,
    parley: preview.parley, bytes: preview.bytes })

  await expect(handlers['import.keep']({ text })).rejects.toMatchObject({ code: 'run-file.here-already' })
  await handlers['conversation.delete']({ conversationId })
  await expect(handlers['run.open']({ runId })).rejects.toMatchObject({ code: 'run.unknown' })
  expect(next.stores.imports.has(conversationId)).toBe(false)
  expect(await handlers['import.keep']({ text })).toMatchObject({ runId })
})

test('every run of the corpus can be kept by another installation, and is replayed there', async () => {
  const { office } = await open(silent)
  for (const name of recordedRuns) {
    const { runId } = await office.handlers['import.keep']({ text: textOfRun(name) })
    const { finding } = await office.handlers['run.replay']({ runId })
    expect([name, finding]).toEqual([name, null])
    for (const { record, text, output } of recordedRun(name).attempts) {
      const { attemptId } = record
      const { rows } = await office.handlers['attempt.output']({ attemptId, after: 0, limit: 500 })
      expect(rows).toEqual(output.map((row) => ({ ...row, attemptId })))
      expect((await office.handlers['attempt.open']({ attemptId })).turn.text).toBe(text)
    }
  }
})
