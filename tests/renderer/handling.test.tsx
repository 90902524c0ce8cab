import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Scene } from '../window/fixtures/fake-bridge.ts'
import { now } from '../window/fixtures/parts.ts'
import { crash, empty, firstRun, gates, running } from '../window/fixtures/scenes.ts'
import { openWindow, type OpenedWindow } from './open-window.tsx'

let opened: OpenedWindow | undefined
const open = async (scene: Scene) => (opened = await openWindow(scene))
afterEach(async () => {
  await opened?.close()
  opened = undefined
  vi.useRealTimers()
})

const refusing = (scene: Scene, refusals: Scene['refusals']): Scene => ({ ...structuredClone(scene), refusals })
const alerts = (at: OpenedWindow) => at.all('[role=alert]').map(({ textContent }) => textContent)

describe('a refusal is shown', () => {
  test('of a stop that was said by key', async () => {
    const at = await open(refusing(running, { 'run.stop': 'run.settled' }))
    await at.key(document.body, '.', { ctrlKey: true })
    expect(alerts(at)).toEqual(['The run has already ended.'])
    await at.key(document.body, 'Escape')
    expect(alerts(at)).toEqual([])
  })

  test('of what was said in the palette', async () => {
    const at = await open(refusing(running, { 'conversation.create': 'app.read-only' }))
    await at.key(document.body, 'k', { ctrlKey: true })
    await at.click(at.button(/^Start the rehearsal/))
    expect(alerts(at)).toEqual(['Parley is read-only now, so nothing can be changed.'])
  })

  test('of a setting, with how long it holds', async () => {
    const at = await open(refusing(running, { 'settings.save': 'ledger.unwritable' }))
    await at.click(at.button('Settings'))
    await at.click(at.button('Dark'))
    expect(alerts(at)[0]).toContain('The record cannot be written.')
    expect(document.documentElement.dataset['theme']).toBe('dark')
  })

  test('of older messages that cannot be read', async () => {
    const scene = structuredClone(running)
    scene.conversations['c-thumbs']!.older = 'older'
    const at = await open(scene)
    scene.refusals['conversation.open'] = 'ledger.damaged'
    at.bridge.call = () =>
      Promise.resolve({ ok: false, failure: { code: 'ledger.damaged', message: 'It cannot be read.' } })
    await at.click(at.button('Show older messages'))
    expect(alerts(at)[0]).toContain('The record is damaged.')
  })
})

test('Escape leaves the inbox for where the person was', async () => {
  const at = await open(gates)
  await at.click(at.one('[data-conversation="c-release"], .conversation .item'))
  const name = at.one('.main h1').textContent
  await at.click(at.button(/^Needs you/))
  expect(at.all('.inbox')).toHaveLength(1)
  await at.key(document.body, 'Escape')
  expect(at.one('.main h1').textContent).toBe(name)
})

test('a conversation that was deleted elsewhere leads home', async () => {
  const scene = structuredClone(running)
  const at = await open(scene)
  scene.snapshot.conversations.splice(0, 1)
  at.bridge.call = () =>
    Promise.resolve({ ok: false, failure: { code: 'conversation.unknown', message: 'It is gone.' } })
  await at.push([
    { topic: 'conversations.changed', seq: 1, at: now, body: { rows: [], removed: ['c-thumbs'] } },
  ])
  expect(at.one('.main h1').textContent).toBe('Welcome')
})

test('what lies on top keeps the keys: the palette does not take the place of a form', async () => {
  const at = await open(running)
  await at.key(document.body, 'n', { ctrlKey: true })
  await at.type(at.one('input[aria-label="Name"]'), 'Queues')
  await at.key(at.one('input[aria-label="Name"]'), 'k', { ctrlKey: true })
  expect(at.one('input[aria-label="Name"]')).toHaveProperty('value', 'Queues')
})

test('an answer that the window has no words for is drawn by its own name', async () => {
  const scene = structuredClone(running)
  const gate = scene.snapshot.gates[0]!
  gate.options = [
    { optionId: 'a', effect: 'grant', name: 'allow_for-session', takesNote: false, position: null },
    { optionId: 'b', effect: 'deny', name: 'rejectAlways', takesNote: false, position: null },
  ]
  const at = await open(scene)
  expect(at.all('.gate .option-name').map(({ textContent }) => textContent)).toEqual([
    'Allow for session',
    'Reject always',
  ])
})

test('every attempt that did not complete can be retried on its own', async () => {
  const scene = structuredClone(crash)
  const run = scene.conversations['c-thumbs']!.runs[0]!
  for (const turn of run.turns.filter(({ round }) => round === 3)) turn.status = 'interrupted'
  const at = await open(scene)
  for (const name of ['Codex', 'Claude', 'Sceptic']) expect(at.button(`Retry ${name}`)).toBeTruthy()
})

test('a rehearsal is labelled in the bar of its conversation and at its gates', async () => {
  const scene = structuredClone(running)
  scene.snapshot.gates[0]!.asker.agent = 'rehearsal:sceptic'
  const at = await open(scene)
  expect(at.one('.main .bar .tag').textContent).toBe('rehearsal')
  expect(at.one('.gate-head .tag').textContent).toBe('rehearsal')
})

test('the board is one stop of the Tab key', async () => {
  const at = await open(running)
  const cells = at.all('.board button')
  expect(cells.length).toBeGreaterThan(5)
  expect(cells.filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(1)
})

test('no name of an event is shown to anybody', async () => {
  const at = await open(running)
  await at.click(at.button(/^Claude, round 2: timed out/))
  const said = at.all('*').flatMap((element) => [element.title, element.ariaLabel ?? ''])
  const names = /\b(?:run|round|attempt|agent|gate)\.[a-z]+[A-Z]?[a-z]*\b/
  expect([...said, at.text()].filter((words) => names.test(words))).toEqual([])
})

describe('the working directory', () => {
  test('can be written where there is no dialog of the system', async () => {
    const at = await open(empty)
    await at.click(at.button(/^Working directory/))
    await at.type(at.one('form[aria-label="Working directory"] input'), '/home/person/src/other')
    await at.click(at.button('Use this directory'))
    expect(at.called('conversation.update')).toEqual([
      { conversationId: expect.any(String), workdir: '/home/person/src/other' },
    ])
  })

  test('is part of a new conversation', async () => {
    const at = await open(running)
    await at.key(document.body, 'n', { ctrlKey: true })
    for (const member of at.all('dialog .member').slice(0, 2)) await at.click(member)
    await at.type(at.one('dialog input[aria-label="Working directory"]'), ' /home/person/src/other ')
    await at.click(at.button('Create'))
    expect(at.called('conversation.create')).toMatchObject([{ workdir: '/home/person/src/other' }])
  })
})

test('what is written while a message is being sent stays', async () => {
  const at = await open(running)
  const field = at.one('.composer-field')
  const answered = Promise.withResolvers<void>()
  const { bridge } = at
  const plain = bridge.call.bind(bridge)
  vi.spyOn(bridge, 'call').mockImplementation(async (name, input) => {
    const reply = await plain(name, input)
    if (name === 'message.send') await answered.promise
    return reply
  })
  await at.type(field, 'First')
  await at.key(field, 'Enter')
  await at.type(field, 'Second')
  answered.resolve()
  await at.push([])
  expect(field).toHaveProperty('value', 'Second')
})

test('the title of the window counts what waits', async () => {
  await open(running)
  expect(document.title).toBe('(1) Parley')
})

describe('a test of an agent', () => {
  const withCodex = (more: Partial<Scene['snapshot']['agents'][number]>): Scene => {
    const scene = structuredClone(firstRun)
    const codex = scene.snapshot.agents.filter(({ agent }) => agent === 'codex')
    const ready = { readiness: 'ready', failure: null, remedy: null } as const
    scene.snapshot.agents = codex.map((card) => ({ ...card, ...ready, ...more }))
    return scene
  }

  test('says how long its answer took', async () => {
    const at = await open(withCodex({}))
    await at.click(at.button('Test'))
    expect(at.all('.remedy [role=status]').map(({ textContent }) => textContent)).toEqual(['Answered in 1.2 s'])
  })

  test('that is refused says why', async () => {
    const at = await open(refusing(withCodex({}), { 'agents.test': 'agent.testing' }))
    await at.click(at.button('Test'))
    expect(alerts(at)).toEqual(['This agent is being tested already. Wait for that to end.'])
  })

  test.each([
    ['is not installed', { readiness: 'notInstalled' }],
    ['has no login yet', { readiness: 'needsLogin' }],
    ['is not spoken with', { readiness: 'installed', transport: 'none' }],
  ] as const)('is not offered for one that %s', async (_, more) => {
    const at = await open(withCodex(more))
    expect(at.all('.remedy button').map(({ textContent }) => textContent)).toEqual([])
  })
})
