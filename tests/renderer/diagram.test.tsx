import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Scene } from '../window/fixtures/fake-bridge.ts'
import { running } from '../window/fixtures/scenes.ts'
import { openWindow, type OpenedWindow } from './open-window.tsx'

let opened: OpenedWindow | undefined
const open = async (scene: Scene | null) => (opened = await openWindow(scene))
afterEach(async () => {
  await opened?.close()
  opened = undefined
  vi.useRealTimers()
})

describe('the diagram', () => {
  test('opens an attempt from its cell, with its path, what it was sent and why it ended', async () => {
    const at = await open(running)
    await at.click(at.button(/^Claude, round 2: timed out/))
    const words = at.one('main').textContent
    for (const part of [
      'Claude, round 2',
      'timed out',
      '2 tries',
      'The agent was silent for too long',
      '15 events',
      'rebuilt',
    ])
      expect(words).toContain(part)
    await at.click(at.button('Open the prompt of try 1'))
    expect(at.one('.prompt').textContent).toContain('You are one of three agents')
    await at.key(document.body, 'Escape')
    expect(at.all('.attempt')).toEqual([])
  })

  test('says of a stopped attempt that it was stopped, and what is kept', async () => {
    const scene = structuredClone(running)
    const view = Object.values(scene.attempts)[0]!
    Object.assign(view.turn, { status: 'stopped', failure: null })
    const listed = scene.conversations['c-thumbs']!.runs[0]!.turns.find((one) => one.attemptId === view.turn.attemptId)!
    Object.assign(listed, { status: 'stopped', failure: null })
    const at = await open(scene)
    await at.click(at.button(/^Claude, round 2: stopped/))
    expect(at.one('.attempt-why').textContent).toBe('Why it ended It was stopped.')
    expect(at.one('.turn-end').textContent).toContain('What it had written is kept, 32 characters.')
  })

  test('names what went into a prompt by agent and round, never by an id', async () => {
    const scene = structuredClone(running)
    const view = Object.values(scene.attempts)[0]!
    view.deliveries[0]!.sources = ['topic', 'capsule a-r-thumbs-1-codex', 'capsule run_f8154f81/1/claude/1']
    const at = await open(scene)
    await at.click(at.button(/^Claude, round 2: timed out/))
    expect(at.one('.sources').textContent).toBe('topic, Codex, round 1, an earlier turn')
  })

  test('has a button on the arrow that stops the run, and says which run', async () => {
    const at = await open(running)
    await at.click(at.one('.chart-exit[data-event="run.stop"]'))
    expect(at.called('run.stop')).toEqual([{ runId: 'r-thumbs' }])
  })

  test('holds after the round that goes on', async () => {
    const at = await open(running)
    await at.click(at.button('Hold after round 3'))
    expect(at.called('run.pause')).toEqual([{ runId: 'r-thumbs' }])
  })

  test('marks the states it is in, and says the same as an outline', async () => {
    const at = await open(running)
    expect(
      at
        .all('[aria-current=step]')
        .map(({ textContent }) => textContent)
        .join(' '),
    ).toContain('discussing')
    await at.click(at.button('Outline'))
    expect(
      at.all('[role=treeitem][aria-current=step]').map((item) => item.querySelector('.outline-name')?.textContent),
    ).toEqual(['conferring', 'discussing'])
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
