import { expect, test } from 'vitest'
import type { ConversationRow } from '../../../shared/view.ts'
import { quitQuestion, quitWishOf } from '../../../electron/shells/quit-question.ts'
import {
  mayLoad, mayNavigate, mayUsePermission, readLink, windowPreferences,
} from '../../../electron/shells/window-rules.ts'

const page = 'file:///opt/parley/dist/renderer/index.html'

test('the window is locked down and its preload is told the one page', () => {
  expect(windowPreferences('/opt/parley/dist/electron/preload.cjs', page)).toMatchObject({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webviewTag: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    preload: '/opt/parley/dist/electron/preload.cjs',
    additionalArguments: [`--parley-page=${page}`],
  })
  expect(mayUsePermission()).toBe(false)
})

test.each([
  [page, true],
  [`${page}#/runs/r1`, true],
  [`${page}?run=1`, false],
  ['file:///opt/parley/dist/renderer/other.html', false],
  ['https://example.org/', false],
  ['javascript:alert(1)', false],
  ['about:blank', false],
])('going to %s is allowed: %s', (target, allowed) => {
  expect(mayNavigate(target, page)).toBe(allowed)
})

test.each([
  ['file:///opt/parley/dist/renderer/assets/index.js', true],
  ['data:image/png;base64,AAAA', true],
  ['file:///opt/parley/dist/electron/main.js', false],
  ['file:///etc/passwd', false],
  ['https://example.org/tracker.gif', false],
  ['ws://127.0.0.1:9/', false],
])('loading %s is allowed: %s', (target, allowed) => {
  expect(mayLoad(target, page)).toBe(allowed)
})

test('an https link is opened as it is', () => {
  expect(readLink('https://example.org/a?b=c#d')).toBe('https://example.org/a?b=c#d')
})

test.each([
  'http://example.org/', 'https://name:word@example.org/', 'https://name@example.org/', 'file:///etc/passwd',
  'javascript:alert(1)', 'data:text/html,hello', 'mailto:a@example.org', '--version', '', 'example.org',
])('%j is not opened', (url) => {
  expect(() => readLink(url)).toThrow(expect.objectContaining({ code: 'link.refused' }))
})

test('quitting asks only when something would be interrupted, and names it', () => {
  const rows = (...names: string[]): ConversationRow[] => names.map((name) => ({
    conversationId: name, kind: 'group', name, members: [], status: 'running', activeRunId: null, gatesWaiting: 0,
    queued: 0, hasDraft: false, updatedAt: 1,
  }))
  expect(quitQuestion({ interrupts: [], keeps: rows('H'), install: null })).toBeNull()
  const install = { agent: 'codex', package: '@openai/codex', version: '1.0.0' } as const
  const question = quitQuestion({ interrupts: rows('A', 'B', 'C', 'D', 'E', 'F'), keeps: rows('H'), install })
  expect(question).toMatchObject({ message: '7 are still running.', cancelId: 2 })
  expect(question?.buttons).toEqual(['Wait', 'Quit now', 'Cancel'])
  expect(question?.detail).toContain('• A\n• B\n• C\n• D\n• E\nand 2 more')
  expect(question?.detail).toContain('goes on after the next start:\n• H')
  expect([0, 1, 2, -1].map(quitWishOf)).toEqual(['wait', 'now', 'cancel', 'cancel'])
})
