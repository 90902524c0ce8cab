import { afterEach, describe, expect, test } from 'vitest'
import { draftOf, isWhole, newDraft, wishOf } from '../../renderer/components/custom-draft.ts'
import type { CustomAgentView } from '../../shared/custom-agent.ts'
import type { Scene } from '../window/fixtures/fake-bridge.ts'
import { withOwnAgents } from '../window/fixtures/own-agents.ts'
import { running } from '../window/fixtures/scenes.ts'
import { openWindow, type OpenedWindow } from './open-window.tsx'

let opened: OpenedWindow | undefined
const open = async (scene: Scene) => {
  opened = await openWindow(scene)
  await opened.key(document.body, 'k', { ctrlKey: true })
  await opened.click(opened.button(/^Show agents/))
  return opened
}
afterEach(async () => {
  await opened?.close()
  opened = undefined
})

const field = (at: OpenedWindow, label: string) => at.one(`.custom-form input[aria-label="${label}"]`)
const items = (at: OpenedWindow) => at.all('.custom-item').map(({ textContent }) => textContent)
const alerts = (at: OpenedWindow) => at.all('.custom-agents [role=alert]').map(({ textContent }) => textContent)

describe('agents of one’s own', () => {
  test('are listed with what may be known of them', async () => {
    const at = await open(withOwnAgents)
    expect(items(at)).toEqual([
      'HoHouse agenthouse-agent · ACP · 2 arguments · 1 variable · can be held to reading',
      'SuSummarysummary · prints its answer · no arguments · may always write',
    ])
  })

  test('are none at first, and it is said', async () => {
    const at = await open(running)
    expect(at.one('.custom-agents').textContent).toContain('There is none yet.')
  })

  test('that cannot be read are not said to be none', async () => {
    const at = await open({ ...structuredClone(running), refusals: { 'custom.list': 'ledger.damaged' } })
    expect(alerts(at)[0]).toContain('The record is damaged.')
    expect(at.one('.custom-agents').textContent).not.toContain('There is none yet.')
  })

  test('are made of a program with its arguments, each as it was typed', async () => {
    const at = await open(running)
    await at.click(at.button('Add an agent'))
    expect(document.activeElement).toBe(field(at, 'Name'))
    await at.type(field(at, 'Name'), 'house-agent')
    await at.type(field(at, 'Program'), '/opt/tools/house-agent ')
    await at.click(at.button('Add an argument'))
    await at.type(field(at, 'Argument 1'), '--mode=a b')
    await at.click(at.button('Add an argument'))
    await at.type(field(at, 'Argument 2'), 'gone')
    await at.click(at.button('Remove argument 2'))
    await at.type(field(at, 'Variables'), 'HOUSE_KEY, HOUSE_HOME')
    await at.type(field(at, 'Mode for reading'), 'plan')
    await at.click(at.one('.custom-form [type=submit]'))
    expect(at.called('custom.save')).toEqual([
      {
        agent: null,
        name: 'house-agent',
        file: '/opt/tools/house-agent',
        args: ['--mode=a b'],
        envNames: ['HOUSE_KEY', 'HOUSE_HOME'],
        speech: { transport: 'acp', modes: { readOnly: 'plan', write: null } },
      },
    ])
    expect(at.all('.custom-form')).toHaveLength(0)
    expect(at.called('custom.list')).toHaveLength(2)
  })

  test('are asked for only once there is a name and a program', async () => {
    const at = await open(running)
    await at.click(at.button('Add an agent'))
    await at.click(at.one('.custom-form [type=submit]'))
    expect(at.called('custom.save')).toEqual([])
  })

  test('keep what is not replaced when they are changed, and show none of it', async () => {
    const at = await open(withOwnAgents)
    await at.click(at.button('Change House agent'))
    expect(at.one('.custom-form').textContent).toContain('house-agent, kept. Its path is not shown here.')
    await at.click(at.button('Task in, answer out'))
    await at.click(at.button('One JSON object'))
    await at.type(field(at, 'Answer in'), 'result')
    await at.click(at.one('.custom-form [type=submit]'))
    expect(at.called('custom.save')).toEqual([
      {
        agent: 'custom:house-agent',
        name: 'house-agent',
        file: null,
        args: null,
        envNames: null,
        speech: { transport: 'one-shot', output: { format: 'object', answerField: 'result', errorField: null } },
      },
    ])
  })

  test('that are refused stay in the form, with the reason', async () => {
    const at = await open({ ...structuredClone(running), refusals: { 'custom.save': 'custom.argument-secret' } })
    await at.click(at.button('Add an agent'))
    await at.type(field(at, 'Name'), 'house-agent')
    await at.type(field(at, 'Program'), '/opt/tools/house-agent')
    await at.click(at.one('.custom-form [type=submit]'))
    expect(alerts(at)[0]).toContain('An argument looks like a key or a password')
    expect(at.all('.custom-form')).toHaveLength(1)
  })

  test('are removed only after a question, and not while a conversation has them', async () => {
    const at = await open({ ...structuredClone(withOwnAgents), refusals: { 'custom.remove': 'custom.in-use' } })
    await at.click(at.button('Remove Summary'))
    expect(at.called('custom.remove')).toEqual([])
    await at.click(at.button('Remove'))
    expect(at.called('custom.remove')).toEqual([{ agent: 'custom:summary' }])
    expect(alerts(at)).toEqual(['A conversation has this agent as a member. Take it out there first.'])
    await at.click(at.button('Keep'))
    expect(alerts(at)).toEqual([])
  })

  test('have their program chosen in a dialog where the window has one', async () => {
    const scene = structuredClone(running)
    scene.snapshot.app.shell = 'electron'
    const at = await open(scene)
    await at.click(at.button('Add an agent'))
    await at.click(at.button('Choose…'))
    expect((field(at, 'Program') as HTMLInputElement).value).toBe('/opt/tools/summary')
  })
})

test('a refused agent is named, with what to do', async () => {
  const at = (opened = await openWindow(running))
  at.bridge.call = () =>
    Promise.resolve({
      ok: false, failure: { code: 'agent.not-held', message: 'No.', params: { agent: 'OpenClaw' } },
    })
  await at.key(document.body, 'k', { ctrlKey: true })
  await at.click(at.button(/^Start the rehearsal/))
  expect(at.text()).toContain('OpenClaw cannot be held to reading. Allow writing in this conversation')
})

test.each(withOwnAgents.custom as CustomAgentView[])('a draft that changes nothing asks for what is there', (agent) => {
  expect(wishOf(draftOf(agent))).toMatchObject({ agent: agent.agent, name: agent.name, speech: agent.speech })
  expect([isWhole(draftOf(agent)), isWhole(newDraft)]).toEqual([true, false])
})
