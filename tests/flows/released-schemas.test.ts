import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { newestVersion } from '../../electron/stores/migrations.ts'
import type { TestOffice } from '../fakes/office.ts'
import { mute, openOffices } from '../fakes/open-offices.ts'

const offices = openOffices()
const recorded = join(import.meta.dirname, '../fixtures/databases')
const schemas = Array.from({ length: newestVersion - 1 }, (_, index) => index + 1)
/** The day on which they were recorded: gates have deadlines. */
const recordedAt = Date.UTC(2026, 11, 1, 12)

afterEach(() => vi.useRealTimers())

/** A data folder as an older Parley left it when it was killed. */
const folderOf = (schema: number, change = '') => {
  vi.useFakeTimers({ toFake: ['Date'], now: recordedAt })
  const folder = mkdtempSync(join(tmpdir(), 'parley-schema-'))
  const path = join(folder, 'parley.db')
  writeFileSync(path, gunzipSync(readFileSync(join(recorded, `schema-${schema}.db.gz`))))
  const database = new DatabaseSync(path)
  const { user_version: version } = database.prepare('pragma user_version').get() ?? {}
  database.exec(change)
  database.close()
  return { folder, version }
}

const openIn = async (folder: string) => offices.openFolder(folder, [mute()])

/** Every run by the topic that began it. */
const runsIn = async ({ handlers }: TestOffice) => {
  const { rows } = await handlers['conversation.list']({ after: null, limit: 10, query: '' })
  const views = await Promise.all(
    rows.map(({ conversationId }) => handlers['conversation.open']({ conversationId, before: null })),
  )
  return new Map(views.flatMap((view) => view.runs.map((run) => [run.run.topic, { ...run, view }])))
}

test('there is a recorded database of every schema before this one', () => {
  const names = readdirSync(recorded).filter((name) => name.endsWith('.gz'))
  expect(names.toSorted()).toEqual(schemas.map((schema) => `schema-${schema}.db.gz`))
})

describe.each(schemas)('a database of schema %i', (schema) => {
  test('opens as the newest, shows all of its runs, and brings back or interrupts what was alive', async () => {
    const { folder, version } = folderOf(schema)
    const office = await openIn(folder)
    expect(version).toBe(schema)
    const runs = await runsIn(office)
    const agreed = runs.get('Agree on something')!
    expect(agreed.run.status).toBe('agreed')
    const said = agreed.turns.map(({ agent, text, toolCount, vote }) => [agent, text.trim(), toolCount, vote?.choice])
    expect(said).toEqual(
      ['rehearsal:bold', 'rehearsal:careful'].map((agent) => [agent, `Word of ${agent}.`, 1, 'agree']),
    )
    const told = await Promise.all(
      agreed.turns.map(({ attemptId }) => office.handlers['attempt.open']({ attemptId })),
    )
    expect(told.map(({ reasoning }) => reasoning)).toEqual(
      ['rehearsal:bold', 'rehearsal:careful'].map((agent) => `Why ${agent} thinks so.`),
    )
    const { deliveryId } = told[1]!.deliveries[0]!
    expect((await office.handlers['delivery.open']({ deliveryId })).prompt).toContain('Word of rehearsal:bold.')
    expect(agreed.view.draft).toBe('Half a thought')
    const spoken = runs.get('Speak for ever')!
    expect(spoken.run).toMatchObject({ status: 'interrupted' })
    expect(spoken.turns.map(({ status, text }) => [status, text])).toEqual([
      ['interrupted', 'Word of rehearsal:bold.'],
    ])
    expect(spoken.view.queue.map(({ text }) => text)).toEqual(['And then?'])
    const asking = runs.get('Ask first')!
    expect([asking.run.status, ...asking.turns.map(({ status }) => status)]).toEqual([
      'running', 'interrupted', 'parked',
    ])
    expect((await office.handlers['gate.list']({})).gates).toMatchObject([{ status: 'waiting', detail: 'npm test' }])
    expect((await office.handlers['providers.list']({})).profiles.map(({ name }) => name)).toEqual(
      schema >= 2 ? ['Ours'] : [],
    )
    expect(agreed.view.draftImages.map(({ name }) => name)).toEqual(schema >= 3 ? ['drawing.png'] : [])
    expect([office.stores.integrity(), office.stores.damage()]).toEqual([[], []])
  })

  test('with snapshots of an unknown machine version has its live runs interrupted, and says why', async () => {
    const office = await openIn(folderOf(schema, 'update roots set version = 99 where live = 1').folder)
    const runs = await runsIn(office)
    for (const topic of ['Speak for ever', 'Ask first']) {
      expect(runs.get(topic)?.run).toMatchObject({ status: 'interrupted', reason: { code: 'snapshot.unreadable' } })
    }
    expect((await office.handlers['gate.list']({})).gates).toEqual([])
    expect(office.stores.runs.nonTerminal()).toEqual([])
  })
})
