import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { AgentId } from '../../shared/agent.ts'
import { FakeAdapter, type Script } from '../fakes/fake-adapter.ts'
import type { TestOffice } from '../fakes/office.ts'
import { mute, openOffices } from '../fakes/open-offices.ts'

const offices = openOffices()
const bold = 'rehearsal:bold'
const pair: { members: AgentId[] } = { members: [bold, 'rehearsal:careful'] }

const asks: Script = async ({ ask, say, hang, request }) => {
  say('May I? ')
  if (request.agent === bold) await ask('run a command', 'npm test')
  await hang()
}

/** A run whose first agent waits at a gate, as a crash left it, with its stored past changed before the next start. */
const afterChange = async (sql: string, settings = { rounds: 2, blindFirst: false }) => {
  const { office } = await offices.open(asks)
  const conversationId = await office.group({ ...pair, settings })
  const runId = await office.send(conversationId, 'Go?')
  const { gateId } = await office.gate()
  if (settings.blindFirst) await office.turn(runId, 'rehearsal:careful', 'streaming')
  const folder = offices.keep(office)
  const database = new DatabaseSync(join(folder, 'parley.db'))
  unpackSnapshots(database)
  database.exec(sql)
  database.close()
  return { next: await offices.openFolder(folder, [mute()]), conversationId, runId, gateId }
}

/** As an earlier version kept them: as text, so that SQL can change a part of one. */
const unpackSnapshots = (database: DatabaseSync) => {
  database.function('unpacked', (packed) => inflateRawSync(packed as Uint8Array).toString())
  database.exec('update roots set snapshot = unpacked(packed), packed = null where packed is not null')
}

/** What became of the run and its gate, and whether a further start leaves that as it is. */
const endOf = async (next: TestOffice, { runId, gateId }: { runId: string; gateId: string }) => {
  const { run, turns } = await next.handlers['run.open']({ runId })
  const [answer] = await Promise.allSettled([
    next.handlers['gate.answer']({ gateId, optionId: 'allow', note: null }),
  ])
  const { row } = await next.handlers['conversation.open']({ conversationId: run.conversationId, before: null })
  const again = await offices.afterACrash(next, [mute()])
  const later = await again.handlers['run.open']({ runId })
  return {
    status: run.status,
    reason: run.reason?.code,
    turns: turns.map(({ status, text }) => `${status}: ${text.trim()}`),
    gates: (await next.handlers['gate.list']({})).gates,
    answer: answer.status === 'rejected' ? answer.reason.code : 'taken',
    waits: [row.activeRunId, row.gatesWaiting],
    changesLater: JSON.stringify(later.run) !== JSON.stringify(run),
  }
}

/** Nothing waits, nothing runs, everything is told as ended. */
const ended = (reason: string) => ({
  status: 'interrupted', reason, turns: ['interrupted: May I?'], gates: [], answer: 'gate.closed',
  waits: [null, 0], changesLater: false,
})

const ofRuns = "where root_id like 'run%'"

test.each([
  ['of another version', `update roots set version = 99 ${ofRuns}`],
  ['that is packed and cannot be unpacked', `update roots set snapshot = null, packed = x'0bad' ${ofRuns}`],
  ['that is no JSON', `update roots set snapshot = '{"value":' ${ofRuns}`],
  ['of another shape', `update roots set snapshot = '{"status":"active","value":"nowhere"}' ${ofRuns}`],
  ['that is nothing', `update roots set snapshot = 'null' ${ofRuns}`],
  [
    'without the parts its state needs',
    `update roots set snapshot = json_set(snapshot, '$.children', json('{}')) ${ofRuns}`,
  ],
  [
    'with a broken part deep inside',
    `update roots set snapshot = json_set(snapshot, '$.children.round.snapshot.value', 'nowhere') ${ofRuns}`,
  ],
])('a snapshot %s ends its run as interrupted with the reason, and its gate with it', async (_what, sql) => {
  const { next, ...ids } = await afterChange(sql)
  expect(await endOf(next, ids)).toEqual(ended('snapshot.unreadable'))
})

test('a run without a snapshot is interrupted, and its gate with it', async () => {
  const { next, ...ids } = await afterChange(`delete from roots ${ofRuns}`)
  expect(await endOf(next, ids)).toEqual(ended('app.restarted'))
})

test('a gate whose own snapshot is lost is closed, and its asker with it', async () => {
  const { next, ...ids } = await afterChange("update roots set snapshot = 'null' where machine = 'gate'")
  expect(await endOf(next, ids)).toEqual(ended('app.restarted'))
})

test('a gate that belongs to no run is closed', async () => {
  const { next, gateId, runId } = await afterChange(`
    update roots set live = 0 ${ofRuns};
    update runs set live = 0, status = 'stopped', record = json_set(record, '$.status', 'stopped', '$.settledAt', 5)`)
  expect((await next.handlers['gate.list']({})).gates).toEqual([])
  expect(next.stores.gates.get(gateId)).toMatchObject({ status: 'expired' })
  expect((await next.handlers['run.open']({ runId })).turns.map(({ status }) => status)).toEqual(['interrupted'])
})

test('one broken run does not hinder another', async () => {
  const { office } = await offices.open(asks)
  const [one, other] = [await office.chat(bold), await office.chat(bold)]
  const broken = await office.send(one, 'One')
  const sound = await office.send(other, 'Other')
  await office.until(async () => (await office.handlers['gate.list']({})).gates.length === 2)
  const folder = offices.keep(office)
  const database = new DatabaseSync(join(folder, 'parley.db'))
  database.prepare('update roots set version = 99 where root_id = ?').run(broken)
  database.close()
  const next = await offices.openFolder(folder, [new FakeAdapter(({ say }) => say('Gone on.'))])
  const { gates } = await next.handlers['gate.list']({})
  expect(gates.map(({ asker }) => asker.runId)).toEqual([sound])
  await next.handlers['gate.answer']({ gateId: gates[0]?.gateId ?? '', optionId: 'allow', note: null })
  expect(await next.runEnds(sound)).toBe('completed')
  expect((await next.handlers['run.open']({ runId: broken })).run.status).toBe('interrupted')
})

test('a run whose own chart breaks is ended with a reason, and its conversation is free again', async () => {
  const { office, adapter } = await offices.open(({ request, say, vote }) => {
    say('As before.')
    vote('continue', `the view of ${request.agent}`)
  })
  const conversationId = await office.group(pair)
  const { gates } = office.stores
  const get = gates.get.bind(gates)
  // the run asks for a decision when nothing moves: there its gate cannot be looked up
  gates.get = (gateId) => {
    if (gateId.startsWith('decide:')) throw new Error('out of memory')
    return get(gateId)
  }
  const runId = await office.send(conversationId, 'Go?', {
    settings: { rounds: null, blindFirst: false }, unlimitedConfirmed: true,
  })
  expect(await office.runEnds(runId)).toBe('interrupted')
  expect((await office.handlers['run.open']({ runId })).run.reason?.code).toBe('internal.unexpected')
  expect(adapter.alive).toBe(0)
  await office.send(conversationId, 'Again?', { settings: { rounds: 1, blindFirst: false } })
})

/** Every moment of a discussion at which something is written: what a kill would leave there. */
const everyMoment = async (office: TestOffice, act: () => Promise<unknown>): Promise<string[]> => {
  const folders: string[] = []
  const keepAfter = <Name extends string>(writer: Record<Name, (...values: never[]) => unknown>, name: Name) => {
    const write = writer[name].bind(writer)
    writer[name] = (...values) => {
      const result = write(...values)
      folders.push(offices.keep(office))
      return result
    }
  }
  const { stores } = office
  keepAfter(stores, 'accept')
  keepAfter(stores.ledger, 'commitSoon')
  keepAfter(stores.deliveries, 'add')
  keepAfter(stores.sessions, 'keep')
  keepAfter(stores.outputs, 'append')
  keepAfter(stores.attempts, 'keepReply')
  await act()
  return folders
}

test('a crash at any moment of a discussion, and a second one: nothing is lost or changes again', async () => {
  const { office } = await offices.open(async ({ say, ask, vote, request, round }) => {
    say(`Word ${round} of ${request.agent}.`)
    if (round === 1 && request.agent === bold) await ask('run a command', 'npm test')
    vote(round === 2 ? 'agree' : 'continue', 'Go', true)
  })
  const conversationId = await office.group(pair)
  let runId = ''
  const folders = await everyMoment(office, async () => {
    runId = await office.send(conversationId, 'Go?')
    const { gateId } = await office.gate()
    await office.handlers['gate.answer']({ gateId, optionId: 'allow', note: null })
    expect(await office.runEnds(runId)).toBe('agreed')
  })
  expect(folders.length).toBeGreaterThan(20)
  for (const folder of folders) {
    const next = await offices.openFolder(folder, [new FakeAdapter(({ hang }) => hang())])
    const { runs, row } = await next.handlers['conversation.open']({ conversationId, before: null })
    expect(runs.map(({ run }) => run.topic)).toEqual(['Go?'])
    const { gates } = await next.handlers['gate.list']({})
    const lives = runs.some(({ run }) => run.settledAt === null)
    // what lives waits for its person, or has what the person said already
    expect(lives).toBe(row.activeRunId !== null)
    const goesOn = lives && gates.length === 0
    const newest = runs[0]?.turns.at(-1)?.status ?? 'none'
    expect(!goesOn || ['launching', 'streaming', 'queued'].includes(newest)).toBe(true)
    const again = await offices.afterACrash(next, [mute()])
    const { runs: later } = await again.handlers['conversation.open']({ conversationId, before: null })
    const facts = (views: typeof runs) =>
      views.map(({ run, turns }) => [run, turns.map(({ status, text, vote }) => [status, text, vote])])
    expect(goesOn ? later.map(({ run }) => run.status) : facts(later)).toEqual(goesOn ? ['interrupted'] : facts(runs))
    await again.quit()
    await next.quit()
  }
}, 120_000)
