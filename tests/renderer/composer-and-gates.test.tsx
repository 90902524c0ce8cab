import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Scene } from '../window/fixtures/fake-bridge.ts'
import { now } from '../window/fixtures/parts.ts'
import { empty, failing, gates, long, running } from '../window/fixtures/scenes.ts'
import { openWindow, type OpenedWindow } from './open-window.tsx'

let opened: OpenedWindow | undefined
const open = async (scene: Scene | null) => (opened = await openWindow(scene))
afterEach(async () => {
  await opened?.close()
  opened = undefined
  vi.useRealTimers()
})

const composer = (at: OpenedWindow) => at.one('.composer-field')

describe('the composer', () => {
  test('sends with Enter, makes a new line with Shift and Enter', async () => {
    const at = await open(empty)
    await at.type(composer(at), 'What shall we call it?')
    await at.key(composer(at), 'Enter', { shiftKey: true })
    expect(at.called('message.send')).toEqual([])
    await at.key(composer(at), 'Enter')
    expect(at.called('message.send')).toEqual([
      {
        conversationId: 'c-empty',
        text: 'What shall we call it?',
        targets: ['codex', 'claude', 'rehearsal:sceptic'],
        settings: { rounds: 6, blindFirst: true },
        unlimitedConfirmed: false,
      },
    ])
    expect(composer(at)).toHaveProperty('value', '')
  })

  test.each([{ isComposing: true }, { keyCode: 229 }])(
    'never sends what an input method is composing: %o',
    async (composing) => {
      const at = await open(empty)
      await at.type(composer(at), '名')
      await at.key(composer(at), 'Enter', composing)
      expect(at.called('message.send')).toEqual([])
    },
  )

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
    expect(at.one('.composer [role=alert]').textContent).toBe(
      'A discussion needs two agents or more. Add one, or ask for one round.',
    )
    expect(composer(at)).toHaveProperty('value', 'Again, please')
  })

  test('offers to make the working directory again where it went away, and keeps the text', async () => {
    const at = await open({ ...failing, refusals: { 'message.send': 'workdir.missing' } })
    await at.type(composer(at), 'Again, please')
    await at.key(composer(at), 'Enter')
    await at.click(at.button('Make the folder again'))
    expect(at.called('workdir.make')).toEqual([{ conversationId: 'c-fail' }])
    expect(at.all('.composer [role=alert]')).toEqual([])
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
    expect(at.called('queue.edit')).toEqual([
      { conversationId: 'c-thumbs', queuedId: 'q-1', text: 'Price a year of both.' },
    ])
  })
})

describe('a gate', () => {
  const card = (at: OpenedWindow) => {
    const found = at.one('section[data-gate="g-thumbs"]')
    found.focus()
    return found
  }

  test('says who asks what, why, and who is held up', async () => {
    const words = (await open(running), card(opened!).textContent)
    for (const part of [
      'Claude asks to run a command',
      'npm test -- thumbnails',
      'decoder’s real numbers',
      'Holds up Claude',
    ])
      expect(words).toContain(part)
  })

  test('is answered by the digit of an option while it has the focus', async () => {
    const at = await open(running)
    await at.key(card(at), '2')
    expect(at.called('gate.answer')).toEqual([{ gateId: 'g-thumbs', optionId: 'no', note: null }])
  })

  test('is never answered by Escape, nor by a digit elsewhere', async () => {
    const at = await open(running)
    await at.key(card(at), 'Escape')
    card(at).blur()
    await at.key(document.body, '1')
    expect(at.called('gate.answer')).toEqual([])
  })

  test('takes a sentence where an option wants one, and digits in it are only digits', async () => {
    const at = await open(running)
    await at.key(card(at), '3')
    const note = at.one('.gate-note textarea')
    await at.key(note, '1')
    await at.type(note, 'Use the 2 recorded runs.')
    await at.key(note, 'Enter', { isComposing: true })
    expect(at.called('gate.answer')).toEqual([])
    await at.key(note, 'Enter')
    expect(at.called('gate.answer')).toEqual([
      { gateId: 'g-thumbs', optionId: 'why', note: 'Use the 2 recorded runs.' },
    ])
  })

  test('folds to one line once it is answered, and its badge goes', async () => {
    const at = await open(running)
    const gate = running.snapshot.gates[0]!
    await at.push([
      {
        topic: 'gates.changed',
        seq: 1,
        at: now,
        body: {
          gates: [
            {
              ...gate,
              status: 'applied',
              decision: { optionId: 'once', effect: 'grant', name: 'allowOnce', note: null, position: null, at: now },
              settledAt: now,
            },
          ],
        },
      },
    ])
    expect(at.all('section[data-gate]')).toEqual([])
    expect(at.one('.gate-settled').textContent).toContain('You answered: Allow once, delivered')
    expect(at.all('.needs-you')).toEqual([])
  })

  test('that expired says why', async () => {
    const at = await open(running)
    await at.push([
      {
        topic: 'gates.changed',
        seq: 1,
        at: now,
        body: { gates: [{ ...running.snapshot.gates[0]!, status: 'expired', endReason: 'askerLost', settledAt: now }] },
      },
    ])
    expect(at.one('.gate-settled').textContent).toContain('Whoever asked was lost in the restart.')
  })

  test('stands in the inbox, soonest first, with what each answer does', async () => {
    const at = await open(gates)
    await at.click(at.button('Needs you: 3'))
    expect(at.all('.inbox-row b').map(({ textContent }) => textContent)).toEqual([
      'Let Codex try again?',
      'Claude asks to run a command',
      'Positions no longer move: which one holds?',
    ])
    expect(at.one('.inbox-detail').textContent).toContain('Codex gets another process and the same prompt')
    expect(at.text()).toContain('Expired. Whoever asked is gone.')
  })
})
