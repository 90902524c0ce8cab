import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, test } from 'vitest'
import { blocksOf, Markdown } from '../../renderer/components/Markdown.tsx'
import { Session } from '../../renderer/state/session.ts'
import { SessionContext } from '../../renderer/state/use-session.ts'
import { fakeBridge } from '../window/fixtures/fake-bridge.ts'
import { running } from '../window/fixtures/scenes.ts'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
afterEach(() => document.body.replaceChildren())

function draw(text: string) {
  const bridge = fakeBridge(running)
  const place = document.createElement('div')
  document.body.append(place)
  act(() =>
    createRoot(place).render(
      <SessionContext value={new Session(bridge)}>
        <Markdown text={text} />
      </SessionContext>,
    ),
  )
  return { place, bridge }
}

test('HTML is only text, images are only their words', () => {
  const { place } = draw(
    '<script>alert(1)</script><b onclick="x()">bold</b>\n\n<iframe srcdoc="x"></iframe>\n\n' +
      'Wrap it in <details>.\n\n![a plan](https://example.org/a.png)',
  )
  expect(place.querySelector('script, b, img, iframe, details, [onclick]')).toBeNull()
  expect(place.textContent).toContain('a plan')
  expect(place.textContent).toContain('<script>alert(1)</script>')
  expect(place.textContent).toContain('Wrap it in <details>.')
})

test('code can be copied as it is', async () => {
  const { place } = draw('```ts\nconst x = 1\n```')
  const written: string[] = []
  Object.defineProperty(navigator, 'clipboard', {
    configurable: true,
    value: { writeText: (text: string) => Promise.resolve(void written.push(text)) },
  })
  await act(async () => place.querySelector<HTMLButtonElement>('.code button')?.click())
  expect(written).toEqual(['const x = 1\n'])
  expect(place.querySelector('.code button')?.getAttribute('aria-label')).toBe('Copied')
})

test('https links open through main, others are only text', () => {
  const { place, bridge } = draw(
    '[docs](https://example.org/docs) [bad](javascript:alert(1)) [file](file:///etc/hosts) [plain](http://a.org)',
  )
  const links = [...place.querySelectorAll('a')]
  expect(links.map(({ href }) => href)).toEqual(['https://example.org/docs'])
  const click = new MouseEvent('click', { bubbles: true, cancelable: true })
  act(() => void links[0]!.dispatchEvent(click))
  expect(click.defaultPrevented).toBe(true)
  expect(bridge.calls).toEqual([{ name: 'link.open', input: { url: 'https://example.org/docs' } }])
})

test('tables, lists and code are drawn', () => {
  const { place } = draw('| a | b |\n| - | - |\n| 1 | 2 |\n\n- one\n- two\n\n```ts\nconst x = 1\n```')
  expect([
    place.querySelectorAll('td').length,
    place.querySelectorAll('li').length,
    place.querySelector('pre')?.textContent,
  ]).toEqual([2, 2, 'const x = 1\n'])
})

test.each([
  ['one\n\ntwo', ['one\n', 'two']],
  ['```\na\n\nb\n```\n\nafter', ['```\na\n\nb\n```\n', 'after']],
  ['- a\n\n- b\n\nafter', ['- a\n\n- b\n', 'after']],
  ['- a\n\n  more of a', ['- a\n\n  more of a']],
  ['', []],
])('%j is cut where a new block begins', (text, blocks) => {
  expect(blocksOf(text)).toEqual(blocks)
})
