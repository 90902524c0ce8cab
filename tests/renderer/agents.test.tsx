import { afterEach, expect, test, vi } from 'vitest'
import { compareVersions } from '../../renderer/state/version.ts'
import { allAgents } from '../window/fixtures/agents.ts'
import { openWindow, type OpenedWindow } from './open-window.tsx'

let opened: OpenedWindow | undefined
/** The agents' screen, with one of them looked at. */
const lookAt = async (name: string) => {
  const at = (opened = await openWindow(allAgents))
  await at.click(at.button('Show agents'))
  await at.click(at.all('.agents-row').find((row) => row.querySelector('b')?.textContent === name)!)
  return at
}
afterEach(async () => {
  await opened?.close()
  opened = undefined
  vi.useRealTimers()
})

const detail = (at: OpenedWindow) => at.one('.agent-detail').textContent

test('every agent is listed with its state, the person’s own one too', async () => {
  const at = await lookAt('Codex')
  expect(at.all('.agents-row').map((row) => row.querySelector('b')?.textContent)).toEqual([
    'Codex', 'Claude', 'OpenCode', 'Gemini', 'Qwen', 'Copilot', 'Kimi', 'OpenClaw', 'Amp', 'Hermes', 'Bold', 'Careful',
    'Sceptic', 'House reviewer',
  ])
  expect(at.one('.agents-side').textContent).toContain('3 of 11 ready')
})

test('what is known of one is said stage by stage, with how and when', async () => {
  const at = await lookAt('Qwen')
  expect(at.all('.stages li').map(({ textContent }) => textContent)).toEqual([
    'foundbeside npm', 'right programit says it is 0.15.10', 'can run hereit needs Node 22, and 20.20.2 would run it',
  ])
  expect(at.all('.stages .tone').map(({ dataset }) => dataset['tone'])).toEqual(['done', 'done', 'failed'])
  expect(at.one('.agent-mending').textContent).toContain('npm install -g @qwen-code/qwen-code@0.24.4')
})

test('a version that nobody tried is said to be newer or older than the tried one', async () => {
  const newer = await lookAt('Codex')
  expect(detail(newer)).toContain('0.173.2 is newer than what was tried')
  await newer.click(newer.all('.agents-row')[4]!)
  expect(detail(newer)).toContain('0.15.10 is older than what was tried')
  await newer.click(newer.all('.agents-row')[1]!)
  expect(detail(newer)).not.toMatch(/newer than|older than/)
})

test('what failed when it was tried is not shown as passed', async () => {
  const at = await lookAt('Gemini')
  const failed = at.all('.verdicts li').filter((line) => line.querySelector('[data-tone="failed"]'))
  expect(failed.map(({ textContent }) => textContent)).toEqual(['failedrate limit'])
})

test('an agent that nothing holds to reading is called unsandboxed; one that is not spoken with says so', async () => {
  const at = await lookAt('OpenClaw')
  expect(detail(at)).toContain('Unsandboxed')
  await at.click(at.all('.agents-row')[8]!)
  expect(detail(at)).toContain('not spoken with')
  expect(detail(at)).not.toContain('What it can do')
})

test('the welcome leads to each agent', async () => {
  const at = (opened = await openWindow(allAgents))
  await at.click(at.button('Kimi'))
  expect(at.one('.agent-detail h2').textContent).toBe('Kimi')
})

test.each([
  ['1.2.3', '1.2.3', 0], ['1.10.0', '1.9.9', 1], ['2.1.332 (Claude Code)', '2.1.333', -1], ['0.61', '0.61.0', 0],
] as const)('%s beside %s', (one, other, sign) => {
  expect(Math.sign(compareVersions(one, other))).toBe(sign)
})

const inSidebar = (at: OpenedWindow) => at.all('.sidebar .item .grow').map(({ textContent }) => textContent)
const sidebarSwitch = (at: OpenedWindow) => at.one('.agent-sidebar input') as HTMLInputElement

test('an agent can be left out of the sidebar and come back, and that is kept', async () => {
  const at = await lookAt('Codex')
  expect([sidebarSwitch(at).checked, inSidebar(at).includes('Codex')]).toEqual([true, true])
  await at.click(sidebarSwitch(at))
  expect([sidebarSwitch(at).checked, inSidebar(at).includes('Codex')]).toEqual([false, false])
  await at.click(sidebarSwitch(at))
  expect([sidebarSwitch(at).checked, inSidebar(at).includes('Codex')]).toEqual([true, true])
  expect(at.called('settings.save')).toEqual([
    { patch: { hiddenAgents: ['codex'] } }, { patch: { hiddenAgents: [] } },
  ])
})

test('one that is not there can be left out of the sidebar, and not be put back', async () => {
  const at = await lookAt('Qwen')
  await at.click(sidebarSwitch(at))
  expect(inSidebar(at)).not.toContain('Qwen')
  expect(sidebarSwitch(at).disabled).toBe(true)
  expect(at.one('.agent-sidebar').textContent).toContain('It can be shown again when it can be used.')
})
