import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { AppError } from '../../shared/errors.ts'
import { FakeAdapter, failing, type Script } from '../fakes/fake-adapter.ts'
import type { TestOffice } from '../fakes/office.ts'
import { openOffices } from '../fakes/open-offices.ts'
import { addImage, isPicture, picture } from '../fakes/office-images.ts'

const offices = openOffices()
const bold = 'rehearsal:bold'

/** How many images came with each prompt of each session. */
const counts = (adapter: FakeAdapter) => adapter.opened.map(({ images }) => images.map(({ length }) => length))

/** What the ledger says of each try of a run. */
const recorded = async (office: TestOffice, runId: string) => {
  const { turns } = await office.handlers['run.open']({ runId })
  return turns.map(({ attemptId }) => office.stores.deliveries.ofAttempt(attemptId).map(({ images }) => images))
}

const asked = async (office: TestOffice, conversationId: string, text: string, images: string[] = []) => {
  const runId = await office.send(conversationId, text, { images })
  return office.runEnds(runId)
}

describe('the images of a message', () => {
  test('reach everyone of a group in its first turn, and nobody again in later rounds', async () => {
    const { office, adapter } = await offices.open(({ say, vote, round }) => {
      say('I see it.')
      vote(round < 3 ? 'continue' : 'agree', 'It is blue.')
    })
    const conversationId = await office.group()
    const ids = [await addImage(office, conversationId), await addImage(office, conversationId, picture(9))]
    const runId = await office.send(conversationId, 'What colour?', { images: ids })
    expect(await office.runEnds(runId)).toBe('agreed')
    expect(counts(adapter)).toEqual([[2], [2], [2], [0], [0], [0], [0], [0], [0]])
    expect(adapter.opened.slice(0, 3).map(({ request, images }) => [
      request.agent, images[0]?.map(({ file, mime }) => [mime, isPicture(readFileSync(file))]),
    ])).toEqual(['bold', 'careful', 'sceptic'].map((name) => [
      `rehearsal:${name}`, [['image/png', true], ['image/png', false]],
    ]))
    expect(await recorded(office, runId)).toEqual([[2], [2], [2], [0], [0], [0], [0], [0], [0]])
  })

  test('come with every turn of an agent whose sessions are not gone on with', async () => {
    const script: Script = ({ vote, round }) => vote(round < 2 ? 'continue' : 'agree', 'Blue.')
    const { office, adapter } = await offices.open(script, { mayContinue: false })
    const conversationId = await office.group()
    const images = [await addImage(office, conversationId)]
    expect(await asked(office, conversationId, 'What colour?', images)).toBe('agreed')
    expect(counts(adapter)).toEqual([[1], [1], [1], [1], [1], [1]])
  })

  test('of a chat are those of each message, in one native session', async () => {
    const { office, adapter } = await offices.open(({ say }) => say('I see.'))
    const conversationId = await office.chat()
    await asked(office, conversationId, 'One', [await addImage(office, conversationId)])
    await asked(office, conversationId, 'None')
    const two = [await addImage(office, conversationId), await addImage(office, conversationId, picture(2))]
    await asked(office, conversationId, 'Two', two)
    expect([counts(adapter), adapter.opened.map(({ request }) => request.resume)]).toEqual([
      [[1], [0], [2]], [null, `native-${bold}-1`, `native-${bold}-1`],
    ])
  })

  test('come again where the native session has been lost', async () => {
    let losses = 0
    const script: Script = ({ vote, round }) => vote(round < 3 ? 'continue' : 'agree', 'Blue.')
    const { office, adapter } = await offices.open(script, {
      opening: async ({ agent, resume }) => {
        if (agent !== bold || resume === null || losses++ > 0) return
        throw new AppError('agent.session-lost', 'It knows no such session.')
      },
    })
    const conversationId = await office.group({ members: [bold, 'rehearsal:careful'] })
    expect(await asked(office, conversationId, 'What?', [await addImage(office, conversationId)])).toBe('agreed')
    const given = adapter.opened
      .filter(({ request }) => request.agent === bold)
      .map(({ request, images }) => [request.resume !== null, images[0]?.length])
    expect(given).toEqual([[false, 1], [false, 1], [true, 0]])
  })

  test('come again with another try, where nobody knows whether they were seen', async () => {
    let times = 0
    const { office, adapter } = await offices.open(({ say }) => {
      if (times++ > 0) return say('I see.')
      return { status: 'failed', failure: { code: 'agent.rate-limited', message: 'Slow down.', retryAfterMs: 20 } }
    })
    const conversationId = await office.chat()
    expect(await asked(office, conversationId, 'What?', [await addImage(office, conversationId)])).toBe('completed')
    expect([counts(adapter), adapter.opened[1]?.request.resume]).toEqual([[[1], [1]], `native-${bold}-1`])
  })

  test('do not come again with a decision that an agent waited for over a restart', async () => {
    const { office } = await offices.open(async ({ ask, say }) => {
      await ask('run a command', 'npm test')
      say('Never reached.')
    })
    const conversationId = await office.chat()
    const images = [await addImage(office, conversationId)]
    const runId = await office.send(conversationId, 'What?', { images })
    const { gateId } = await office.gate()
    const later = new FakeAdapter(({ say }) => say('Done.'))
    const next = await offices.afterACrash(office, [later])
    await next.handlers['gate.answer']({ gateId, optionId: 'allow', note: null })
    expect(await next.runEnds(runId)).toBe('completed')
    expect([counts(later), later.opened[0]?.request.resume]).toEqual([[[0]], `native-${bold}-1`])
  })

  test('come with a follow-up only to whom they are new', async () => {
    const { office, adapter } = await offices.open(({ say }) => say('I see.'))
    const conversationId = await office.group({ settings: { rounds: 1, blindFirst: false } })
    const images = [await addImage(office, conversationId)]
    const runId = await office.send(conversationId, 'What?', { images, targets: [bold, 'rehearsal:careful'] })
    await office.runEnds(runId)
    const replace = { 'rehearsal:careful': 'rehearsal:sceptic' } as const
    const { runId: next } = await office.handlers['run.followUp']({ runId, seats: null, replace })
    expect(await office.runEnds(next)).toBe('completed')
    expect([counts(adapter), adapter.opened.slice(2).map(({ request }) => request.agent)]).toEqual([
      [[1], [1], [0], [1]], [bold, 'rehearsal:sceptic'],
    ])
  })
})

describe('an agent that fails over an image', () => {
  test.each(['agent.refused', 'agent.provider-failed', 'agent.crashed'] as const)(
    'with %s begins the next message in a new session, so that it does not choke on it again',
    async (code) => {
      const { office, adapter } = await offices.open(({ prompt, say }) => {
        if (prompt.startsWith('With')) return failing(code)
        return say('Fine.')
      })
      const conversationId = await office.chat()
      await asked(office, conversationId, 'Without')
      const images = [await addImage(office, conversationId)]
      const runId = await office.send(conversationId, 'With', { images })
      await office.turn(runId, bold, 'failed', 'backingOff')
      await office.handlers['run.stop']({ runId }).catch(() => undefined)
      await office.runEnds(runId)
      await asked(office, conversationId, 'Again')
      const last = adapter.opened.at(-1)
      expect([last?.request.resume, last?.images]).toEqual([null, [[]]])
      expect(last?.prompts[0]).toContain('(With images that are not shown again: shot.png)')
    },
  )

  test('for want of a login keeps its session, and is given the image again', async () => {
    let loggedIn = true
    const { office, adapter } = await offices.open(({ say }) => {
      if (!loggedIn) return failing('agent.unauthorized')
      return say('Fine.')
    })
    const conversationId = await office.chat()
    await asked(office, conversationId, 'Without')
    loggedIn = false
    const runId = await office.send(conversationId, 'With', { images: [await addImage(office, conversationId)] })
    expect(await office.runEnds(runId)).toBe('failed')
    loggedIn = true
    const { runId: next } = await office.handlers['run.followUp']({ runId, seats: null, replace: {} })
    expect(await office.runEnds(next)).toBe('completed')
    expect([counts(adapter), adapter.opened.at(-1)?.request.resume]).toEqual([[[0], [1], [1]], `native-${bold}-1`])
  })
})
