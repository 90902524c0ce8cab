import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Scene } from '../window/fixtures/fake-bridge.ts'
import { now, runOf } from '../window/fixtures/parts.ts'
import { crash, damaged, empty, failing, firstRun, gates, long, running } from '../window/fixtures/scenes.ts'
import { openWindow, type OpenedWindow } from './open-window.tsx'

let opened: OpenedWindow | undefined
const open = async (scene: Scene | null) => (opened = await openWindow(scene))
afterEach(async () => {
  await opened?.close()
  opened = undefined
  vi.useRealTimers()
})

const composer = (at: OpenedWindow) => at.one('.composer-field')

describe('opening', () => {
  test('without a bridge the page says what it needs', async () => {
    expect((await open(null)).text()).toContain('Parley works in its own window')
  })

  test('what needs the person is opened first', async () => {
    const at = await open(running)
    expect(at.called('conversation.open')).toEqual([{ conversationId: 'c-thumbs', before: null }])
    expect(at.one('h1').textContent).toBe('When to make thumbnails')
  })

  test('the first start shows the agents, what mends them, and blocks nothing', async () => {
    const at = await open(firstRun)
    expect(at.text()).toContain('One agent on this computer is ready')
    expect(at.all('.agents tbody tr').map((row) => row.querySelector('.tone')?.textContent)).toEqual(['ready', 'needs login', 'ready', 'ready', 'ready'])
    expect(at.one('.command').textContent).toBe('claude login')
    expect(at.all('button:disabled')).toEqual([])
  })

  test('the rehearsal is one click: a group of its three agents and a first message', async () => {
    const at = await open({ ...firstRun, conversations: empty.conversations })
    await at.click(at.button('Start the rehearsal'))
    expect(at.called('conversation.create')).toMatchObject([{ kind: 'group', members: ['rehearsal:bold', 'rehearsal:careful', 'rehearsal:sceptic'], allowWrite: false }])
    expect(at.called('message.send')).toMatchObject([{ conversationId: 'c-empty', targets: null }])
  })

  test('a record that cannot be trusted is said, and nothing is offered in its place', async () => {
    const at = await open(damaged)
    expect(at.text()).toContain('The record could not be read')
    expect(at.text()).toContain('Nothing was changed or overwritten.')
  })

  test('a snapshot that main refuses is said with its reason and can be tried again', async () => {
    const at = await open({ ...running, refusals: { 'app.snapshot': 'ledger.newer' } })
    expect(at.text()).toContain('A newer Parley wrote this record')
    at.bridge.calls.length = 0
    await at.click(at.button('Try again'))
    expect(at.called('app.snapshot')).toHaveLength(1)
  })
})

describe('the composer', () => {
  test('sends with Enter, makes a new line with Shift and Enter', async () => {
    const at = await open(empty)
    await at.type(composer(at), 'What shall we call it?')
    await at.key(composer(at), 'Enter', { shiftKey: true })
    expect(at.called('message.send')).toEqual([])
    await at.key(composer(at), 'Enter')
    expect(at.called('message.send')).toEqual([{ conversationId: 'c-empty', text: 'What shall we call it?', targets: ['codex', 'claude', 'rehearsal:sceptic'], settings: { rounds: 6, blindFirst: true }, unlimitedConfirmed: false }])
    expect(composer(at)).toHaveProperty('value', '')
  })

  test.each([{ isComposing: true }, { keyCode: 229 }])('never sends what an input method is composing: %o', async (composing) => {
    const at = await open(empty)
    await at.type(composer(at), '名')
    await at.key(composer(at), 'Enter', composing)
    expect(at.called('message.send')).toEqual([])
  })

  test('is alive while a run goes on, and says that it queues', async () => {
    const at = await open(running)
    expect(composer(at)).toHaveProperty('disabled', false)
    await at.type(composer(at), 'And then?')
    await at.click(at.button('Queue'))
    expect(at.called('message.send')).toHaveLength(1)
  })

  test('shows a refusal in its place and keeps the text', async () => {
    const at = await open(failing)
    await at.type(composer(at), 'Again, please')
    await at.key(composer(at), 'Enter')
    expect(at.one('.composer [role=alert]').textContent).toBe('A discussion needs two agents or more. Add one, or ask for one round.')
    expect(composer(at)).toHaveProperty('value', 'Again, please')
  })

  test('leaves out who was taken off', async () => {
    const at = await open(empty)
    await at.click(at.one('.composer-to .chip'))
    await at.type(composer(at), 'Only you two')
    await at.key(composer(at), 'Enter')
    expect(at.called('message.send')).toMatchObject([{ targets: ['claude', 'rehearsal:sceptic'] }])
  })

  test('asks before it sends without a limit on rounds', async () => {
    const scene = structuredClone(empty)
    scene.conversations['c-empty']!.conversation.settings = { rounds: null, blindFirst: false }
    const at = await open(scene)
    await at.type(composer(at), 'For ever')
    await at.key(composer(at), 'Enter')
    expect(at.called('message.send')).toEqual([])
    await at.click(at.button('Send without a limit'))
    expect(at.called('message.send')).toMatchObject([{ unlimitedConfirmed: true }])
  })

  test('saves its draft a moment after the last key, and shows the kept one at the next opening', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const at = await open(long)
    expect(composer(at)).toHaveProperty('value', 'And who tells the support team?')
    await at.type(composer(at), 'And who')
    await at.type(composer(at), 'And who tells')
    expect(at.called('draft.save')).toEqual([])
    await at.later(500)
    expect(at.called('draft.save')).toEqual([{ conversationId: 'c-long', text: 'And who tells' }])
  })

  test('shows what is queued, and takes it back or changes it', async () => {
    const at = await open(running)
    expect(at.one('.queue').textContent).toContain('Then price a month of both.')
    await at.click(at.button('Withdraw'))
    expect(at.called('queue.withdraw')).toEqual([{ conversationId: 'c-thumbs', queuedId: 'q-1' }])
    await at.click(at.button('Edit'))
    await at.type(at.one('.queue textarea'), 'Price a year of both.')
    await at.key(at.one('.queue textarea'), 'Enter')
    expect(at.called('queue.edit')).toEqual([{ conversationId: 'c-thumbs', queuedId: 'q-1', text: 'Price a year of both.' }])
  })
})

describe('a gate', () => {
  const card = (at: OpenedWindow) => at.one('section[data-gate="g-thumbs"]')

  test('says who asks what, why, and who is held up', async () => {
    const words = (await open(running), card(opened!).textContent)
    for (const part of ['Claude asks to run a command', 'npm test -- thumbnails', 'decoder’s real numbers', 'Holds up Claude']) expect(words).toContain(part)
  })

  test('is answered by the digit of an option while it has the focus', async () => {
    const at = await open(running)
    await at.key(card(at), '3')
    expect(at.called('gate.answer')).toEqual([{ gateId: 'g-thumbs', optionId: 'no', note: null }])
  })

  test('is never answered by Escape, nor by a digit elsewhere', async () => {
    const at = await open(running)
    await at.key(card(at), 'Escape')
    await at.key(document.body, '1')
    expect(at.called('gate.answer')).toEqual([])
  })

  test('takes a sentence where an option wants one, and digits in it are only digits', async () => {
    const at = await open(running)
    await at.key(card(at), '4')
    const note = at.one('.gate-note textarea')
    await at.key(note, '1')
    await at.type(note, 'Use the 2 recorded runs.')
    await at.key(note, 'Enter', { isComposing: true })
    expect(at.called('gate.answer')).toEqual([])
    await at.key(note, 'Enter')
    expect(at.called('gate.answer')).toEqual([{ gateId: 'g-thumbs', optionId: 'why', note: 'Use the 2 recorded runs.' }])
  })

  test('folds to one line once it is answered, and its badge goes', async () => {
    const at = await open(running)
    const gate = running.snapshot.gates[0]!
    await at.push([{ topic: 'gates.changed', seq: 1, at: now, body: { gates: [{ ...gate, status: 'applied', decision: { optionId: 'once', effect: 'grant', name: 'allowOnce', note: null, position: null, at: now }, settledAt: now }] } }])
    expect(at.all('section[data-gate]')).toEqual([])
    expect(at.one('.gate-settled').textContent).toContain('You answered: Allow once, delivered')
    expect(at.all('.needs-you')).toEqual([])
  })

  test('that expired says why', async () => {
    const at = await open(running)
    await at.push([{ topic: 'gates.changed', seq: 1, at: now, body: { gates: [{ ...running.snapshot.gates[0]!, status: 'expired', endReason: 'askerLost', settledAt: now }] } }])
    expect(at.one('.gate-settled').textContent).toContain('Whoever asked was lost in the restart.')
  })

  test('stands in the inbox, soonest first, with what each answer does', async () => {
    const at = await open(gates)
    await at.click(at.button('Needs you: 3'))
    expect(at.all('.inbox-row b').map(({ textContent }) => textContent)).toEqual(['Let Codex try again?', 'Claude asks to run a command', 'Positions no longer move: which one holds?'])
    expect(at.one('.inbox-detail').textContent).toContain('Codex gets another process and the same prompt')
    expect(at.text()).toContain('Expired. Whoever asked is gone.')
  })
})

describe('the diagram', () => {
  test('opens an attempt from its cell, with its path, what it was sent and why it ended', async () => {
    const at = await open(running)
    await at.click(at.button(/^Claude, round 2: timed out/))
    const words = at.one('main').textContent
    for (const part of ['Claude, round 2', 'timed out', '2 tries', 'The agent was silent for too long', '15 events', 'rebuilt']) expect(words).toContain(part)
    await at.click(at.button('Open the prompt of try 1'))
    expect(at.one('.prompt').textContent).toContain('You are one of three agents')
    await at.key(document.body, 'Escape')
    expect(at.all('.attempt')).toEqual([])
  })

  test('has a button on the arrow that stops the run, and says which run', async () => {
    const at = await open(running)
    await at.click(at.one('.chart-exit'))
    expect(at.called('run.stop')).toEqual([{ runId: 'r-thumbs' }])
  })

  test('holds after the round that goes on', async () => {
    const at = await open(running)
    await at.click(at.button('Hold after round 3'))
    expect(at.called('run.pause')).toEqual([{ runId: 'r-thumbs' }])
  })

  test('marks the states it is in, and says the same as an outline', async () => {
    const at = await open(running)
    const now = () => at.all('[aria-current=step]').map(({ textContent }) => textContent)
    expect(now().join()).toContain('discussing')
    await at.click(at.button('Outline'))
    expect(at.all('[role=treeitem][aria-current=step]').map((item) => item.querySelector('.outline-name')?.textContent)).toEqual(['conferring', 'discussing'])
    expect(at.one('.you-can').textContent).toContain('Stop run')
  })

  test('stops one attempt from its line of life', async () => {
    const at = await open(running)
    await at.click(at.button('Stop Sceptic'))
    expect(at.called('attempt.cancel')).toEqual([{ runId: 'r-thumbs', attemptId: 'a-r-thumbs-3-sceptic' }])
  })

  test('moves from attempt to attempt with the arrow keys', async () => {
    const at = await open(running)
    const cell = at.button(/^Codex, round 1/)
    cell.focus()
    await at.key(cell, 'ArrowRight')
    expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^Codex, round 2/)
    await at.key(document.activeElement!, 'ArrowDown')
    expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^Claude, round 2/)
  })
})

describe('after a crash', () => {
  test('it says what is kept and what is not', async () => {
    const words = ((await open(crash)), opened!.one('.crash').textContent)
    for (const part of ['in round 3', 'Sceptic’s answer so far, 230 characters', '1 queued message', 'The session of Claude and Sceptic', '2 leftover processes were ended']) expect(words).toContain(part)
    expect(opened!.text()).toContain('The record ends here.')
  })

  test('it goes on from the transcript, or retries one', async () => {
    const at = await open(crash)
    await at.click(at.button('Retry Sceptic'))
    await at.click(at.button('Continue from transcript'))
    expect(at.called('run.followUp')).toEqual([{ runId: 'r-thumbs', seats: ['sceptic'], replace: {} }, { runId: 'r-thumbs', seats: null, replace: {} }])
  })
})

describe('the sidebar', () => {
  const item = (at: OpenedWindow) => at.one('[data-conversation="c-notes"]')

  test('renames in place: Enter keeps, Escape leaves, an input method is not Enter', async () => {
    const at = await open(running)
    const rename = async () => {
      await at.click(at.button('Actions for Release notes for 2.4'))
      await at.click(at.button('Rename'))
      return at.one('.name-field')
    }
    await at.key(await rename(), 'Escape')
    const field = await rename()
    await at.type(field, 'Notes')
    await at.key(field, 'Enter', { isComposing: true })
    expect(at.called('conversation.rename')).toEqual([])
    await at.key(field, 'Enter')
    expect(at.called('conversation.rename')).toEqual([{ conversationId: 'c-notes', name: 'Notes' }])
    expect(item(at).textContent).toContain('Release notes')
  })

  test('asks before it deletes, says what goes, and does not while a run goes on', async () => {
    const at = await open(running)
    const ask = async (name: string) => {
      await at.click(at.button(`Actions for ${name}`))
      await at.click(at.button('Delete'))
      return at.one('.delete-question')
    }
    expect((await ask('Release notes for 2.4')).textContent).toContain('Stop the run first.')
    await at.click(at.button('Cancel'))
    const question = await ask('Token rotation')
    expect(question.textContent).toContain('go for good')
    await at.click(question.querySelector('button')!)
    expect(at.called('conversation.delete')).toEqual([{ conversationId: 'c-token' }])
  })

  test('folds and unfolds with Ctrl B', async () => {
    const at = await open(running)
    await at.key(document.body, 'b', { ctrlKey: true })
    expect([at.all('.sidebar').length, at.all('.rail').length]).toEqual([0, 1])
    expect(at.called('settings.save')).toEqual([{ patch: { sidebarOpen: false } }])
  })
})

test('writing is unlocked only after it was asked', async () => {
  const at = await open(running)
  await at.click(at.button('Read-only'))
  expect(at.called('conversation.update')).toEqual([])
  await at.click(at.button('Let them write'))
  expect(at.called('conversation.update')).toEqual([{ conversationId: 'c-thumbs', allowWrite: true }])
})

test('a group needs two members and unlimited rounds a confirmation', async () => {
  const at = await open(running)
  await at.key(document.body, 'n', { ctrlKey: true })
  await at.click(at.button('Create'))
  expect(at.called('conversation.create')).toEqual([])
  expect(at.one('.sheet').textContent).toContain('A group needs two members or more.')
  for (const member of at.all('.member').slice(0, 2)) await at.click(member)
  await at.click(at.button('Create'))
  expect(at.called('conversation.create')).toEqual([{ kind: 'group', name: null, members: ['codex', 'claude'], workdir: null, allowWrite: false, settings: { rounds: 6, blindFirst: false } }])
})

test('quitting lists what it interrupts and asks', async () => {
  const at = await open(running)
  await at.click(at.button('Quit Parley'))
  expect(at.one('.quit-list').textContent).toContain('When to make thumbnails')
  await at.click(at.button('Quit and interrupt'))
  expect(at.called('app.quit')).toEqual([{ confirmed: false }, { confirmed: true }])
})

test('Escape closes the topmost thing and never stops a run', async () => {
  const at = await open(running)
  await at.key(document.body, 'Escape')
  expect(at.called('run.stop')).toEqual([])
  await at.key(document.body, '.', { ctrlKey: true })
  expect(at.called('run.stop')).toEqual([{ runId: 'r-thumbs' }])
})

test('streamed text is appended where it belongs', async () => {
  const at = await open(running)
  await at.push([{ topic: 'output.added', seq: 1, at: now, body: { runId: 'r-thumbs', rows: [{ attemptId: 'a-r-thumbs-3-sceptic', seq: 7, at: now, try: 1, item: { type: 'text', delta: ' alone.' } }] } }])
  expect(at.one('[data-attempt="a-r-thumbs-3-sceptic"] .said').textContent).toContain('leave the rest alone.')
})

test('a missed push makes the window read everything again', async () => {
  const at = await open(running)
  const run = runOf('r-thumbs', 'c-thumbs', 't')
  const changed = (seq: number) => ({ topic: 'run.changed' as const, seq, at: now, body: { run, actors: [], turns: [], events: [], seq: 0 } })
  await at.push([changed(1)])
  expect(at.called('app.snapshot')).toHaveLength(1)
  await at.push([changed(3)])
  expect(at.called('app.snapshot')).toHaveLength(2)
})

test('rehearsal agents are always labelled', async () => {
  const at = await open(running)
  expect(at.one('[data-attempt="a-r-thumbs-3-sceptic"] .tag').textContent).toBe('rehearsal')
  expect(at.all('.sidebar .item').filter(({ textContent }) => textContent.includes('rehearsal'))).toHaveLength(3)
})
