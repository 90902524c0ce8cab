import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, describe, expect, test } from 'vitest'
import { ProviderSection } from '../../renderer/components/ProviderSection.tsx'
import { Session } from '../../renderer/state/session.ts'
import { SessionContext } from '../../renderer/state/use-session.ts'
import type { AgentCard } from '../../shared/agent.ts'
import type { Envelope, Reply } from '../../shared/ipc.ts'
import type { ProviderProfile, ProviderTest } from '../../shared/provider.ts'
import { fakeBridge } from '../window/fixtures/fake-bridge.ts'
import { running } from '../window/fixtures/scenes.ts'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const card = running.snapshot.agents.find(({ kind }) => kind === 'codex')!
const profile = (more: Partial<ProviderProfile> = {}): ProviderProfile => ({
  profileId: 'provider-1', kind: 'codex', preset: null, name: 'Gateway', baseUrl: 'https://gateway.example/v1',
  model: 'm1', hasKey: true, keyUnreadable: false, active: false, createdAt: 1, ...more,
})

let leave: (() => Promise<void>) | null = null
afterEach(async () => {
  await leave?.()
  leave = null
})

type Answers = Record<string, (input: unknown) => unknown>

interface Opening {
  keepsKeys?: boolean
  answers?: Answers
  of?: AgentCard
}

/** The section alone, over a main that answers as the test says. */
const open = async (profiles: ProviderProfile[], more: Opening = {}) => {
  const { keepsKeys = true, answers = {}, of = card } = more
  const bridge = fakeBridge(structuredClone(running))
  const calls: [string, unknown][] = []
  const usual = bridge.call.bind(bridge)
  const ours: Answers = { 'providers.list': () => ({ profiles, keepsKeys }), ...answers }
  bridge.call = (async (name: string, input: unknown) => {
    if (!name.startsWith('providers.')) return usual(name as 'app.snapshot', input as never)
    calls.push([name, input])
    const value = await ours[name]?.(input)
    return typeof value === 'string' ? refused(value) : { ok: true, value: value ?? {} }
  }) as typeof bridge.call
  const session = new Session(bridge)
  const place = document.createElement('div')
  document.body.append(place)
  const root = createRoot(place)
  const doing = (does: () => void) =>
    act(async () => {
      does()
      for (let turn = 0; turn < 12; turn += 1) await Promise.resolve()
    })
  let stop = () => {}
  await doing(() => (stop = session.start()))
  await doing(() =>
    root.render(
      <SessionContext value={session}>
        <ProviderSection card={of} />
      </SessionContext>,
    ),
  )
  leave = async () => {
    await act(async () => root.unmount())
    stop()
    place.remove()
  }
  const all = (selector: string) => [...place.querySelectorAll<HTMLElement>(selector)]
  const nameOf = (element: HTMLElement) => (element.getAttribute('aria-label') ?? element.textContent).trim()
  const button = (name: string) => {
    const found = all('button').find((element) => nameOf(element) === name)
    if (!found) throw new Error(`No button is called ${name}.`)
    return found
  }
  const type = (label: string, value: string) =>
    doing(() => {
      const field = all('input, select').find((element) => nameOf(element) === label || element.closest('label'))!
      const exact = all('input').find((element) => nameOf(element) === label) ?? field
      const prototype = exact instanceof HTMLSelectElement ? HTMLSelectElement.prototype : HTMLInputElement.prototype
      Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(exact, value)
      exact.dispatchEvent(new Event(exact instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }))
    })
  const push = (changed: ProviderProfile[]) =>
    doing(() =>
      bridge.push([{ topic: 'providers.changed', seq: 1, at: 1, body: { profiles: changed } } satisfies Envelope]),
    )
  return {
    all, button, type, push, calls, text: () => place.textContent,
    click: (name: string) => doing(() => button(name).click()),
    settle: (does: () => void) => doing(does),
    alerts: () => all('[role=alert]').map(({ textContent }) => textContent),
    saved: () => calls.filter(([name]) => name === 'providers.save').map(([, input]) => input),
  }
}
const refused = (code: string) => ({ ok: false, failure: { code, message: 'Refused.' } }) as Reply<never>

test('says where the agent gets its model from, and which provider it works with', async () => {
  const at = await open([profile(), profile({ profileId: 'provider-2', name: 'Other', active: true, hasKey: false })])
  expect(at.all('.provider b').map(({ textContent }) => textContent)).toEqual(['Its own login', 'Gateway', 'Other'])
  expect(at.all('.provider[data-active] b').map(({ textContent }) => textContent)).toEqual(['Other'])
  expect(at.text()).toContain('m1 · key kept')
  expect(at.text()).toContain('m1 · no key')
})

test('is not there for an agent that takes no provider', async () => {
  const at = await open([], { of: { ...card, kind: 'amp', agent: 'amp' } })
  expect([at.text(), at.calls]).toEqual(['', []])
})

test('shows no profile of another agent, and changes with what main says', async () => {
  const at = await open([profile({ kind: 'claude', name: 'Theirs' })])
  expect(at.text()).not.toContain('Theirs')
  await at.push([profile({ active: true })])
  expect(at.all('.provider[data-active] b').map(({ textContent }) => textContent)).toEqual(['Gateway'])
})

describe('a profile is written down', () => {
  test('with exactly what main takes, and the form is gone', async () => {
    const at = await open([], { answers: { 'providers.save': () => ({ profile: profile() }) } })
    await at.click('Add a provider')
    expect(at.button('Save').getAttribute('aria-disabled')).toBe('true')
    await at.type('Name', 'Gateway')
    await at.type('Address', 'https://gateway.example')
    await at.type('Key', ' sk-0123456789 ')
    await at.click('Save')
    expect(at.saved()).toEqual([
      {
        profileId: null, kind: 'codex', preset: null, name: 'Gateway', baseUrl: 'https://gateway.example', model: '',
        key: { how: 'set', key: 'sk-0123456789' },
      },
    ])
    expect(at.all('form')).toEqual([])
  })

  test('from a preset, whose name and address are not to be changed', async () => {
    const at = await open([], { answers: { 'providers.save': () => ({ profile: profile() }) } })
    await at.click('Add a provider')
    await at.type('Known', 'openai')
    expect(at.all('input').map((field) => field.getAttribute('aria-label'))).toEqual(['Model', 'Key'])
    await at.click('Save')
    expect(at.saved()).toMatchObject([{ preset: 'openai', name: 'OpenAI', baseUrl: 'https://api.openai.com/v1' }])
  })

  test('or the reason stands in the form, and the key is not left in it', async () => {
    const at = await open([], { answers: { 'providers.save': () => 'provider.bad-url' } })
    await at.click('Add a provider')
    await at.type('Name', 'Gateway')
    await at.type('Address', 'http://gateway.example')
    await at.type('Key', 'sk-0123456789')
    await at.click('Save')
    expect(at.alerts()[0]).toContain('The address must begin with https://')
    expect(at.all('input[type=password]').map((field) => (field as HTMLInputElement).value)).toEqual([''])
  })

  test('anew: the kept key is never filled in, stays when its field is empty, and can be forgotten', async () => {
    const at = await open([profile()], { answers: { 'providers.save': () => ({ profile: profile() }) } })
    await at.click('Change Gateway')
    const field = at.all('input[type=password]')[0] as HTMLInputElement
    expect([field.value, field.placeholder]).toEqual(['', 'kept; stays if empty'])
    await at.click('Save')
    await at.click('Change Gateway')
    await at.settle(() => at.all('input[type=checkbox]')[0]!.click())
    await at.click('Save')
    expect(at.saved().map((input) => (input as { key: unknown }).key)).toEqual([{ how: 'keep' }, { how: 'none' }])
  })
})

test('where keys cannot be kept that is said, and the field of the key is closed', async () => {
  const at = await open([], { keepsKeys: false })
  expect(at.all('[role=note]')[0]?.textContent).toContain('Parley never writes one in plain text')
  await at.click('Add a provider')
  expect((at.all('input[type=password]')[0] as HTMLInputElement).disabled).toBe(true)
})

test('a key that can no longer be read is said', async () => {
  const at = await open([profile({ keyUnreadable: true })])
  expect(at.text()).toContain('key cannot be read')
  expect(at.text()).toContain('Give it again, or remove the profile.')
})

test('the agent is given a provider, and its own login again', async () => {
  const at = await open([profile()])
  await at.click('Use Gateway')
  await at.push([profile({ active: true })])
  await at.click('Use Its own login')
  expect(at.calls.slice(1)).toEqual([
    ['providers.activate', { kind: 'codex', profileId: 'provider-1' }],
    ['providers.activate', { kind: 'codex', profileId: null }],
  ])
})

test('removing asks first', async () => {
  const at = await open([profile()])
  await at.click('Remove Gateway')
  await at.click('Cancel')
  expect(at.calls.length).toBe(1)
  await at.click('Remove Gateway')
  await at.click('Remove')
  expect(at.calls.at(-1)).toEqual(['providers.remove', { profileId: 'provider-1' }])
})

describe('a test', () => {
  const answered = (came: ProviderTest) => ({ answers: { 'providers.test': () => ({ test: came }) } })

  test.each([
    [{ outcome: 'ok', status: 200, model: 'm-2' }, 'm-2 answers.'],
    [{ outcome: 'ok', status: 200, model: null }, 'It answers, and lists its models.'],
    [{ outcome: 'unauthorized', status: 401, model: null }, 'It refused the key. Status 401'],
    [{ outcome: 'notFound', status: 404, model: null }, 'There is no m1 at this address. Status 404'],
    [{ outcome: 'unreachable', status: null, model: null }, 'Nobody answers at this address.'],
    [{ outcome: 'other', status: 500, model: null }, 'It answered with something else. Status 500'],
  ] as const)('says in place what came back: %o', async (came, sentence) => {
    const at = await open([profile()], answered(came))
    await at.click('Test Gateway')
    expect(at.all('[role=status]')[0]?.textContent).toBe(sentence)
  })

  test('of a profile that was changed meanwhile is not shown', async () => {
    const late = Promise.withResolvers<{ test: ProviderTest }>()
    const at = await open([profile()], { answers: { 'providers.test': () => late.promise } })
    await at.click('Test Gateway')
    expect(at.all('[role=status]')[0]?.textContent).toBe('Asking…')
    await at.push([profile({ baseUrl: 'https://other.example/v1' })])
    await at.settle(() => late.resolve({ test: { outcome: 'ok', status: 200, model: 'm1' } }))
    expect(at.all('[role=status]')[0]?.textContent).toBe('')
  })

  test('that could not be made says why', async () => {
    const at = await open([profile()], { answers: { 'providers.test': () => 'provider.key-unreadable' } })
    await at.click('Test Gateway')
    expect(at.alerts()).toEqual([expect.stringContaining('The key of this profile can no longer be read.')])
  })

  test('stays when a change is begun and left, and goes when one is saved', async () => {
    const answers = {
      'providers.test': () => ({ test: { outcome: 'ok', status: 200, model: 'm-2' } }),
      'providers.save': () => ({ profile: profile() }),
    }
    const at = await open([profile()], { answers })
    await at.click('Test Gateway')
    await at.click('Change Gateway')
    await at.click('Cancel')
    expect(at.all('.provider-answer').map(({ textContent }) => textContent)).toEqual(['m-2 answers.'])
    await at.click('Change Gateway')
    await at.click('Save')
    expect(at.all('.provider-answer').map(({ textContent }) => textContent)).toEqual([''])
  })
})
