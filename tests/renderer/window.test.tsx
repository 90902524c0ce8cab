import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Scene } from '../window/fixtures/fake-bridge.ts'
import { now, runOf } from '../window/fixtures/parts.ts'
import {
  crash, damaged, deleting, empty, firstRun, installInterrupted, restored, running,
} from '../window/fixtures/scenes.ts'
import { openWindow, type OpenedWindow } from './open-window.tsx'

let opened: OpenedWindow | undefined
const open = async (scene: Scene | null) => (opened = await openWindow(scene))
afterEach(async () => {
  await opened?.close()
  opened = undefined
  vi.useRealTimers()
})

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
    expect(at.all('.agents tbody tr').map((row) => row.querySelector('.tone')?.textContent)).toEqual([
      'ready',
      'needs login',
      'ready',
      'ready',
      'ready',
    ])
    expect(at.one('.command').textContent).toBe('claude login')
    expect(at.all('button:disabled')).toEqual([])
  })

  test('the rehearsal is one click: a group of its three agents and a first message', async () => {
    const at = await open({ ...firstRun, conversations: empty.conversations })
    await at.click(at.button('Start the rehearsal'))
    expect(at.called('conversation.create')).toMatchObject([
      { kind: 'group', members: ['rehearsal:bold', 'rehearsal:careful', 'rehearsal:sceptic'], allowWrite: false },
    ])
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

describe('after a crash', () => {
  test('it says what is kept and what is not', async () => {
    const words = (await open(crash), opened!.one('.crash').textContent)
    for (const part of [
      'in round 3',
      'Sceptic’s answer so far, 230 characters',
      '1 queued message',
      'The session of Claude and Sceptic',
      '2 leftover processes were ended',
    ])
      expect(words).toContain(part)
    expect(opened!.text()).toContain('The record ends here.')
  })

  test('it says that a session is lost only of those who had begun one', async () => {
    const scene = structuredClone(crash)
    const claude = scene.conversations['c-thumbs']!.runs[0]!.turns.find(
      ({ seat, round }) => seat === 'claude' && round === 3,
    )!
    Object.assign(claude, { startedAt: null, lastOutputAt: null })
    const at = await open(scene)
    expect(at.one('.crash').textContent).toContain('The session of Sceptic;')
  })

  test('it goes on from the transcript, or retries one', async () => {
    const at = await open(crash)
    await at.click(at.button('Retry Sceptic'))
    await at.click(at.button('Continue from transcript'))
    expect(at.called('run.followUp')).toEqual([
      { runId: 'r-thumbs', seats: ['sceptic'], replace: {} },
      { runId: 'r-thumbs', seats: null, replace: {} },
    ])
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

  test('says before it deletes how much goes, and what neither it nor the backups can take back', async () => {
    const at = await open(deleting)
    await at.click(at.button('Actions for Token rotation'))
    await at.click(at.button('Delete'))
    expect(at.called('conversation.deletion')).toEqual([{ conversationId: 'c-token' }])
    const { textContent } = at.one('.delete-question')
    expect(textContent).toContain('14 messages, 14 runs, 96 turns, 2 images: 7 MB.')
    expect(textContent).toContain('3 backups hold it too; a new one without it replaces them at once.')
    expect(textContent).toContain('Codex keeps its own sessions in ~/.codex/sessions.')
    expect(textContent).toContain('House bot may keep a record of its own.')
    expect(textContent).toContain('1 damaged record in quarantine')
  })

  test('says that a backup was opened, from when, and where the damaged record is, until that was read', async () => {
    const at = await open(restored)
    const banner = at.one('[aria-label="A backup was opened"]')
    expect(banner.textContent).toContain('Parley opened its backup of')
    expect(banner.textContent).toContain('quarantine/parley-3f0c2b7a91d4e856')
    await at.click(at.button('I have read this'))
    expect(at.called('app.restoredRead')).toEqual([{}])
    const app = { ...restored.snapshot.app, restored: null }
    await at.push([{ topic: 'app.changed', seq: 1, at: now, body: { app } }])
    expect(at.all('[aria-label="A backup was opened"]')).toEqual([])
  })

  test('keeps all details of a settled run when asked to, and says of an old one that they are gone', async () => {
    const at = await open(crash)
    const { runId } = crash.conversations['c-thumbs']!.runs[0]!.run
    await at.click(at.button('Keep all details'))
    expect(at.called('run.pin')).toEqual([{ runId, pinned: true }])
    await at.push([{ topic: 'run.detail', seq: 1, at: now, body: { runId, detail: 'pinned' } }])
    await at.click(at.button('All details are kept'))
    expect(at.called('run.pin').at(-1)).toEqual({ runId, pinned: false })
    await at.push([{ topic: 'run.detail', seq: 2, at: now, body: { runId, detail: 'compacted' } }])
    expect(at.one('.run-kept').textContent).toContain('other details are not')
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
  expect(at.one('.lock').textContent).toBe('May write')
  expect(at.one('.access').textContent).toBe('May write')
})

test('a group needs two members and unlimited rounds a confirmation', async () => {
  const at = await open(running)
  await at.key(document.body, 'n', { ctrlKey: true })
  await at.click(at.button('Create'))
  expect(at.called('conversation.create')).toEqual([])
  expect(at.one('.sheet').textContent).toContain('A group needs two members or more.')
  for (const member of at.all('.member').slice(0, 2)) await at.click(member)
  await at.click(at.button('Create'))
  expect(at.called('conversation.create')).toEqual([
    {
      kind: 'group',
      name: null,
      members: ['codex', 'claude'],
      workdir: null,
      allowWrite: false,
      settings: { rounds: 6, blindFirst: false },
    },
  ])
})

test('quitting lists what it interrupts and asks', async () => {
  const at = await open(running)
  await at.click(at.button('Quit Parley'))
  expect(at.one('.quit-list').textContent).toContain('When to make thumbnails')
  expect(at.text()).toContain('Installing Codex')
  await at.click(at.button('Quit now'))
  expect(at.called('app.quit')).toEqual([{ wish: 'ask' }, { wish: 'now' }])
})

test('a dialog about quitting that is left without an answer is a no', async () => {
  const at = await open(running)
  await at.click(at.button('Quit Parley'))
  await at.click(at.button('Cancel'))
  await at.click(at.button('Quit Parley'))
  await at.key(at.one('dialog'), 'Escape')
  expect(at.called('app.quit').slice(0, 2)).toEqual([{ wish: 'ask' }, { wish: 'cancel' }])
})

test('notifications are switched where the system takes them, and not offered elsewhere', async () => {
  const within = (shell: 'electron' | 'chromium') =>
    open({ ...running, snapshot: { ...running.snapshot, app: { ...running.snapshot.app, shell } } })
  const at = await within('electron')
  await at.click(at.button('Settings'))
  await at.click(at.button('Off'))
  expect(at.called('settings.save')).toEqual([{ patch: { notifications: false } }])
  await at.close()
  const other = await within('chromium')
  await other.click(other.button('Settings'))
  expect(other.text()).not.toContain('Notifications')
})

test('an installation that was cut off is told, leads to its agent, and can be let be', async () => {
  const at = await open(installInterrupted)
  expect(at.text()).toContain('Installing Codex was interrupted')
  await at.click(at.button('Leave it'))
  expect(at.called('install.cancel')).toEqual([{ taskId: 'install_1' }])
  await at.click(at.button('Install Codex again'))
  expect(at.called('install.view')).toHaveLength(1)
})

test('while quitting waits for what runs the window says so, and lets the person stay or go', async () => {
  const app = { ...running.snapshot.app, quitting: 'waiting' as const }
  const at = await open({ ...running, snapshot: { ...running.snapshot, app } })
  expect(at.text()).toContain('Parley closes as soon as what runs has ended')
  await at.click(at.button('Stay open'))
  await at.click(at.button('Quit now'))
  expect(at.called('app.quit')).toEqual([{ wish: 'cancel' }, { wish: 'now' }])
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
  await at.push([
    {
      topic: 'output.added',
      seq: 1,
      at: now,
      body: {
        runId: 'r-thumbs',
        rows: [
          { attemptId: 'a-r-thumbs-3-sceptic', seq: 7, at: now, try: 1, item: { type: 'text', delta: ' alone.' } },
        ],
      },
    },
  ])
  expect(at.one('[data-attempt="a-r-thumbs-3-sceptic"] .said').textContent).toContain('leave the rest alone.')
})

test('a missed push makes the window read everything again', async () => {
  const at = await open(running)
  const run = runOf('r-thumbs', 'c-thumbs', 't')
  const changed = (seq: number) => ({
    topic: 'run.changed' as const,
    seq,
    at: now,
    body: { run, actors: [], turns: [], events: [], seq: 0 },
  })
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

test('members change between runs, in the place where they are asked', async () => {
  const at = await open(empty)
  await at.click(at.button('Change who is at the table'))
  await at.click(at.all('.menu-item').find(({ textContent }) => textContent.includes('Bold'))!)
  expect(at.called('conversation.update')).toEqual([
    { conversationId: 'c-empty', members: ['codex', 'claude', 'rehearsal:sceptic', 'rehearsal:bold'] },
  ])
  expect(at.all('.composer-to .chip')).toHaveLength(4)
})

test('the clocks of an attempt are set in minutes and kept', async () => {
  const at = await open(empty)
  await at.click(at.button('Settings'))
  expect(at.all('.sheet select').map((field) => field.textContent.includes('5 minutes'))).toEqual([true, true, false])
  await at.click(at.button('Dark'))
  expect(at.called('settings.save')).toEqual([{ patch: { theme: 'dark' } }])
  expect(document.documentElement.dataset['theme']).toBe('dark')
})
