import { afterEach, describe, expect, test } from 'vitest'
import { InstallSection } from '../../renderer/components/InstallSection.tsx'
import type { AgentCard } from '../../shared/agent.ts'
import type { InstallView } from '../../shared/install.ts'
import { endedInstall, installOf, installScene, missingClaude } from '../window/fixtures/installs.ts'
import { card, now } from '../window/fixtures/parts.ts'
import { openPart, type OpenedPart } from './open-part.tsx'

let part: OpenedPart | null = null
const open = async (install: InstallView | null, agent: AgentCard = missingClaude) => {
  part = await openPart(installScene(install), <InstallSection card={agent} />)
  return part
}
const shows = (install: InstallView, seq = 1) =>
  part?.push([{ topic: 'install.changed', seq, at: now, body: { install } }])

afterEach(async () => {
  await part?.close()
  part = null
})

describe('an agent that is not here', () => {
  test('is installed by two clicks, and the second one says what, and where it goes', async () => {
    const { click, text, called } = await open(null)
    await click('Install Claude')
    expect(called('install.start')).toEqual([])
    for (const word of ['@anthropic-ai/claude-code', '2.1.332', '~/.local/share/parley-agents']) {
      expect(text()).toContain(word)
    }
    expect(text()).toContain('own install script')
    await click('Install it')
    expect(called('install.start')).toEqual([{ agent: 'claude' }])
  })

  test('is not installed by one who thinks again', async () => {
    const { click, button, called } = await open(null)
    await click('Install Claude')
    await click('Not now')
    expect([called('install.start'), button('Install Claude')?.disabled]).toEqual([[], false])
  })

  test('shows why it was refused', async () => {
    part = await openPart(
      { ...installScene(null), refusals: { 'install.start': 'app.read-only' } },
      <InstallSection card={missingClaude} />,
    )
    await part.click('Install Claude')
    await part.click('Install it')
    expect(part.one('[role=alert]')?.textContent).toContain('read-only')
  })

  test('waits while another one is being installed', async () => {
    const { button, text } = await open(installOf({ agent: 'codex' }))
    expect(button('Install Claude')?.disabled).toBe(true)
    expect(text()).toContain('Codex is being installed')
  })

  test('without a recipe has its own instructions', async () => {
    const { text, button } = await open(null, { ...missingClaude, agent: 'hermes', kind: 'hermes', name: 'Hermes' })
    expect(text()).toContain('Parley cannot install Hermes')
    expect(button('Install Hermes')).toBeNull()
  })
})

test.each([
  ['is ready', card('claude')],
  ['is too old', card('claude', { readiness: 'incompatible', version: '1.0.0' })],
  ['is being looked for', card('claude', { readiness: 'checking', version: null })],
  ['comes with Parley', card('rehearsal:bold', { readiness: 'notInstalled', version: null })],
])('nothing is offered for one that %s', async (_title, agent) => {
  const { text } = await open(null, agent)
  expect(text()).toBe('')
})

describe('an installation that goes on', () => {
  test('says where it is, how much has come, and marks its steps', async () => {
    const { text, one } = await open(installOf())
    expect(text()).toContain('npm installs it')
    expect(text()).toContain('3 packages so far')
    expect(one('[aria-current=step]')?.textContent).toBe('Install')
    await shows(installOf({ state: 'confirming' }))
    expect(one('[aria-current=step]')?.textContent).toBe('Ask its version')
  })

  test('has a log to open, which grows', async () => {
    const { click, one, button } = await open(installOf())
    expect(one('pre')).toBeNull()
    await click('Log')
    expect(one('pre')?.textContent).toContain('claude-code-2.1.332.tgz')
    expect(button('Copy')).not.toBeNull()
    await shows(installOf({ log: ['one more line'] }))
    expect(one('pre')?.textContent).toBe('one more line')
  })

  test('is cancelled by its own id, once', async () => {
    const { click, called, button } = await open(installOf())
    await click('Cancel installing')
    expect(called('install.cancel')).toEqual([{ taskId: 'install_1' }])
    await shows(installOf({ state: 'clearing' }))
    expect(button('Cancelling…')?.disabled).toBe(true)
  })
})

describe('an installation that is over', () => {
  test('says which version answers, and what is left to do', async () => {
    const { text } = await open(
      endedInstall('installed'),
      card('claude', { readiness: 'needsLogin', version: '2.1.332', remedy: 'claude auth login' }),
    )
    expect(text()).toContain('2.1.332 answers. It took 14 s.')
    expect(text()).toContain('claude auth login')
  })

  test('says why it failed, and can be tried again', async () => {
    const failure = { code: 'install.mismatch', message: 'Another package.' } as const
    const { text, click } = await open(endedInstall('failed', { failure }))
    expect(text()).toContain('not the package that this Parley knows')
    await click('Try again')
    expect(text()).toContain('will be installed on this computer')
  })

  test('says which Node.js it needs', async () => {
    const failure = {
      code: 'install.node-too-old', message: 'Too old.', params: { needs: '22.0', found: '20.1.0' },
    } as const
    const { text } = await open(endedInstall('failed', { failure }))
    expect(text()).toContain('It needs Node.js 22.0 or newer; 20.1.0 was found.')
  })

  test('says that nothing was left behind', async () => {
    const { text, button } = await open(endedInstall('cancelled'))
    expect(text()).toContain('Nothing was left behind.')
    expect(button('Try again')).not.toBeNull()
  })
})

test('what was pushed while nobody listened is asked for again', async () => {
  const { called, push, text } = await open(null)
  await push([
    { topic: 'install.changed', seq: 1, at: now, body: { install: installOf({ state: 'checking' }) } },
    { topic: 'install.changed', seq: 3, at: now, body: { install: installOf() } },
  ])
  expect(called('install.view').length).toBe(2)
  expect(text()).toContain('Install Claude')
})
