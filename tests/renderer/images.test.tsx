import { setImmediate as nextTurn } from 'node:timers/promises'
import { act } from 'react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { imageMaxBytes } from '../../shared/limits.ts'
import { pngOf } from '../fakes/small-images.ts'
import type { Scene } from '../window/fixtures/fake-bridge.ts'
import { withImages } from '../window/fixtures/images.ts'
import { empty } from '../window/fixtures/scenes.ts'
import { openWindow, type OpenedWindow } from './open-window.tsx'

let opened: OpenedWindow | undefined
const open = async (scene: Scene) => (opened = await openWindow(scene))
afterEach(async () => {
  await opened?.close()
  opened = undefined
})

const field = (at: OpenedWindow) => at.one('.composer-field')
const png = (name = 'shot.png', type = 'image/png') => new File([new Uint8Array(pngOf(4, 3))], name, { type })

/** Waits for what reading files takes, and lets React draw each time. */
const until = async (holds: () => void) => {
  for (let turn = 1; ; turn += 1) {
    await act(() => nextTurn())
    try {
      return holds()
    } catch (error) {
      if (turn === 1_000) throw error
    }
  }
}

const dispatched = async (target: Element, type: string, more: object) => {
  const event = Object.assign(new Event(type, { bubbles: true, cancelable: true }), more)
  await act(async () => {
    target.dispatchEvent(event)
  })
  return event
}

const paste = (at: OpenedWindow, files: File[], types: string[] = ['Files']) =>
  dispatched(field(at), 'paste', { clipboardData: { files, types } })

const drop = (at: OpenedWindow, files: File[]) =>
  dispatched(at.one('.composer-box'), 'drop', { dataTransfer: { files, types: ['Files'] } })

const pick = (at: OpenedWindow, files: File[]) => {
  const input = at.one('.composer input[type=file]')
  Object.defineProperty(input, 'files', { configurable: true, value: files })
  return dispatched(input, 'change', {})
}

const names = (at: OpenedWindow) => at.all('.draft-images .image-name .cut:first-child').map((name) => name.textContent)
const alerts = (at: OpenedWindow) => at.all('.composer [role=alert]').map(({ textContent }) => textContent)

describe('the composer', () => {
  test.each([['pasted', paste], ['dropped', drop], ['picked', pick]] as const)(
    'takes images that are %s, in their order, and sends them with the message',
    async (_how, give) => {
      const at = await open(empty)
      await give(at, [png('one.png'), png('two.png')])
      await until(() => expect(names(at)).toEqual(['one.png', 'two.png']))
      const dataBase64 = pngOf(4, 3).toString('base64')
      expect(at.called('image.add')).toEqual(['one.png', 'two.png'].map((name) => ({
        conversationId: 'c-empty', name, type: 'image/png', dataBase64,
      })))
      await at.type(field(at), 'Which?')
      await at.key(field(at), 'Enter')
      expect(at.called('message.send')).toMatchObject([{ images: [/^image-new/, /^image-new/].map(like) }])
      expect(names(at)).toEqual([])
    },
  )

  test('leaves words that are pasted to the field, also where their picture comes along', async () => {
    const at = await open(empty)
    const words = await paste(at, [png()], ['text/plain', 'Files'])
    const picture = await paste(at, [png()])
    expect([words.defaultPrevented, picture.defaultPrevented]).toEqual([false, true])
    await until(() => expect(at.called('image.add')).toHaveLength(1))
  })

  test('shows where a file would go while it is held over it', async () => {
    const at = await open(empty)
    const box = at.one('.composer-box')
    const held = { types: ['Files'], files: [], dropEffect: 'none' }
    const over = await dispatched(box, 'dragover', { dataTransfer: held })
    expect([over.defaultPrevented, box.dataset['dropping']]).toEqual([true, 'true'])
    await dispatched(box, 'dragleave', { dataTransfer: held, relatedTarget: null })
    expect(box.dataset['dropping']).toBeUndefined()
    const words = await dispatched(box, 'dragover', { dataTransfer: { ...held, types: ['text/plain'] } })
    expect(words.defaultPrevented).toBe(false)
  })

  test('looks at the size before it reads, and names each file that was refused', async () => {
    const at = await open({ ...empty, refusals: { 'image.add': 'image.mismatch' } })
    const large = png('large.png')
    Object.defineProperty(large, 'size', { value: imageMaxBytes + 1 })
    await drop(at, [large, png('photo.jpg'), new File([], 'empty.png')])
    await until(() => expect(alerts(at)).toHaveLength(3))
    expect([at.called('image.add'), names(at)]).toMatchObject([[{ name: 'photo.jpg' }], []])
    expect(alerts(at)).toEqual([
      'large.png: The image is larger than Parley takes, 3.5 MB. Make it smaller first.',
      expect.stringMatching(/^photo.jpg: The file is another kind of image/),
      'empty.png: The file is empty.',
    ])
  })

  test('takes as many as a message may have, names the rest, and says that it is full', async () => {
    const at = await open(empty)
    await drop(at, Array.from({ length: 9 }, (_, index) => png(`${index + 1}.png`)))
    await until(() => expect(names(at)).toHaveLength(8))
    await until(() => expect(alerts(at)).toEqual(['9.png: A message takes at most 8 images. Remove one first.']))
    expect(at.called('image.add')).toHaveLength(8)
    expect(at.one('.composer').textContent).toContain('8 of 8 images')
  })

  test('adds what comes while another is still being added, after it', async () => {
    const at = await open(empty)
    await paste(at, [png('one.png'), png('two.png')])
    await drop(at, [new File([], 'empty.png'), png('three.png')])
    await until(() => expect(names(at)).toEqual(['one.png', 'two.png', 'three.png']))
    await until(() => expect(at.all('.composer [role=status]')).toEqual([]))
    expect(alerts(at)).toEqual(['empty.png: The file is empty.'])
  })

  test('sends nothing while an image is still being added', async () => {
    const at = await open(empty)
    const answered = Promise.withResolvers<void>()
    const plain = at.bridge.call.bind(at.bridge)
    vi.spyOn(at.bridge, 'call').mockImplementation(async (name, input) => {
      const reply = await plain(name, input)
      if (name === 'image.add') await answered.promise
      return reply
    })
    await at.type(field(at), 'Which?')
    await paste(at, [png()])
    await until(() => expect(at.one('.composer [role=status]').textContent).toBe('Adding 1 image…'))
    await at.key(field(at), 'Enter')
    expect([at.called('message.send'), at.button('Send').getAttribute('aria-disabled')]).toEqual([[], 'true'])
    answered.resolve()
    await until(() => expect(names(at)).toEqual(['shot.png']))
    await at.key(field(at), 'Enter')
    expect(at.called('message.send')).toHaveLength(1)
  })

  test('keeps text and images when main refuses the message, and says who cannot take them', async () => {
    const at = await open({ ...withImages, refusals: { 'message.send': 'image.not-taken' } })
    expect(at.one('.image-warning').textContent).toBe(
      'Gemini: cannot be given so many images. Take images off, or do not ask them.',
    )
    await at.key(field(at), 'Enter')
    expect([alerts(at), names(at).length, at.all('.image-warning').length]).toEqual([
      ['Not everyone asked takes these images. Take them off, or ask others.'], 2, 0,
    ])
    expect(field(at)).toHaveProperty('value', 'And these?')
  })

  test('warns of nobody who is not asked', async () => {
    const at = await open(withImages)
    await at.click(at.all('.composer-to .chip')[1]!)
    expect(at.all('.image-warning')).toEqual([])
  })

  test('takes an image off again, by a button with its name, and gives the focus to the field', async () => {
    const at = await open(withImages)
    await at.click(at.button('Remove new.png'))
    expect(at.called('image.remove')).toEqual([{ conversationId: 'c-images', imageId: 'image-draft' }])
    expect([names(at).length, document.activeElement]).toEqual([1, field(at)])
  })
})

describe('the images of a message', () => {
  test('are shown with it under their names, and one that cannot be read is shown as that', async () => {
    const at = await open(withImages)
    expect(at.all('.sent-images img').map((image) => image.getAttribute('alt'))).toEqual([
      'layout one.png', 'from the balcony.png',
    ])
    expect(at.one('.sent-images img').getAttribute('src')).toBe(withImages.images?.['image-screen'])
    expect(at.one('.sent-images .picture-missing').getAttribute('aria-label')).toBe('layout two.png cannot be shown')
  })

  test('open large at a click, with their size, and close with Escape', async () => {
    const at = await open(withImages)
    await at.click(at.button('Show from the balcony.png'))
    expect(at.one('dialog.image-sheet').textContent).toContain('from the balcony.png1,440 × 960, 2.8 MB')
    await act(async () => {
      at.one('dialog.image-sheet').dispatchEvent(new Event('cancel', { cancelable: true }))
    })
    expect(at.all('dialog.image-sheet')).toEqual([])
  })

  test('are counted while it waits, and in what was sent to an agent', async () => {
    const at = await open(withImages)
    expect(at.one('.queue').textContent).toContain('with 1 image')
    await at.click(at.button(/^Codex, round 1/))
    expect(at.one('.deliveries').textContent).toContain('18.4 KB and 3 images')
  })
})

const like = (pattern: RegExp) => expect.stringMatching(pattern) as string
