import { setImmediate as nextTurn } from 'node:timers/promises'
import { act } from 'react'
import { afterEach, expect, test } from 'vitest'
import type { Scene } from '../window/fixtures/fake-bridge.ts'
import * as records from '../window/fixtures/records.ts'
import { running } from '../window/fixtures/scenes.ts'
import { openWindow, type OpenedWindow } from './open-window.tsx'

const opened: OpenedWindow[] = []
const open = async (scene: Scene) => {
  const window = await openWindow(scene)
  opened.push(window)
  return window
}

afterEach(async () => {
  for (const window of opened.splice(0)) await window.close()
})

const says = (window: OpenedWindow) => window.one('.run-tools [role=status]').textContent

test('a settled run is replayed by a button, and says in words that all of it came out equal', async () => {
  const window = await open(records.settled)
  await window.click(window.button('Replay'))
  expect(window.called('run.replay')).toEqual([{ runId: 'r-long' }])
  expect(says(window)).toBe('Replayed without an agent. All 412 transitions and 24 prompts came out as recorded.')
})

test('a first difference of states is shown with both of its sides', async () => {
  const window = await open(records.withDifference)
  await window.click(window.button('Replay'))
  expect(says(window)).toContain('The first difference is at transition 408 of the run.')
  const [recorded, replayed] = window.all('.replay-sides > div').map((side) => side.textContent)
  expect(recorded).toMatch(/^Recorded.*to writing/)
  expect(replayed).toMatch(/^Replayed.*to discussing/)
})

test('a first difference of prompts names the line, and shows both lines', async () => {
  const window = await open(records.withPromptDifference)
  await window.click(window.button('Replay'))
  expect(says(window)).toContain('The first difference is in line 41 of a prompt to Codex, round 2.')
  expect(window.all('.replay-sides pre').map((line) => line.textContent)).toEqual([
    '- Position: Decode on view, warm the newest page, and keep what was asked for in the last hour.',
    '- Position: Decode on view.',
  ])
})

test('a run that cannot be replayed says from where on and why, and never that it is equal', async () => {
  const window = await open(records.withObstacle)
  await window.click(window.button('Replay'))
  expect(says(window)).toContain('It cannot be replayed from transition 62 on, because what its agents did has been')
  expect(says(window)).not.toContain('came out as recorded')
})

test('a run that goes on is neither replayed nor exported', async () => {
  const window = await open(running)
  expect(window.all('.run-tools')).toEqual([])
})

test('before a run is saved as a file, what is in it and what is left out is shown', async () => {
  const window = await open(records.settled)
  await window.click(window.button('Export…'))
  const facts = window.one('.run-file-facts').textContent
  expect(facts).toContain('Plan the move, step by step.')
  expect(facts).toContain('25 messages, 214,802 characters')
  expect(facts).toContain('412 transitions, 24 prompts, 2 questions')
  expect(facts).toContain('2 images, of which only the number is told.')
  expect(facts).toContain('In 31 texts, paths of the machine')
  expect(window.called('run.export')).toEqual([])
  await window.click(window.button('Save the file'))
  expect(window.called('run.export')).toEqual([{ runId: 'r-long' }])
  expect(window.one('.run-file-saved').textContent).toBe('Saved as ~/exports/parley-run-2026-05-12.json')
})

/** Chooses a file as a person would, once the page has read it. */
const choose = async (window: OpenedWindow, content: string) => {
  const input = window.one('input[accept*=json]')
  const file = new File([content], 'run.json')
  Object.defineProperty(input, 'files', { value: [file], configurable: true })
  await act(async () => {
    input.dispatchEvent(new Event('change', { bubbles: true }))
    while (window.called('import.preview').length === 0) await nextTurn()
  })
}

test('a file is previewed before it is opened, and then is where the person is', async () => {
  const window = await open(records.imported)
  await window.click(window.button('Open a run from a file'))
  await choose(window, '{"format":"parley-run"}')
  expect(window.called('import.preview')).toEqual([{ text: '{"format":"parley-run"}' }])
  expect(window.one('.run-file-facts').textContent).toContain('by Parley 0.1.0')
  expect(window.called('import.keep')).toEqual([])
  await window.click(window.button('Open it'))
  expect(window.called('import.keep')).toEqual([{ text: '{"format":"parley-run"}' }])
  expect(window.all('dialog')).toEqual([])
  expect(window.one('main h1').textContent).toContain('Moving the thumbnails')
})

test('a file that is refused says why, and cannot be opened', async () => {
  const window = await open({ ...records.settled, refusals: { 'import.preview': 'run-file.newer' } })
  await window.click(window.button('Open a run from a file'))
  await choose(window, '{}')
  expect(window.one('dialog [role=alert]').textContent).toContain('exported by a newer Parley')
  expect(window.button('Open it').hasAttribute('disabled')).toBe(true)
})

test.each([
  ['settled', records.imported],
  ['interrupted', records.importedInterrupted],
])('an imported run that is %s says so, and offers nothing that would start an agent', async (_how, scene) => {
  const window = await open(scene)
  expect(window.all('.bar .tag').map((tag) => tag.textContent)).toContain('Imported, read-only')
  expect(window.one('.sidebar').textContent).toContain('Opened from files')
  expect(window.one('.imported-foot').textContent).toContain('nothing in it starts an agent')
  expect(window.all('.composer, .lock, .directory, .actions')).toEqual([])
  expect(window.all('.crash')).toEqual([])
  expect(window.button('Replay')).toBeDefined()
})
