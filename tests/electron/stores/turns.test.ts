import { describe, expect, test } from 'vitest'
import {
  outputRowsPerAttemptMax, reasoningPerAttemptMaxCharacters, textPerAttemptMaxCharacters,
} from '../../../shared/limits.ts'
import { noUsage } from '../../../shared/usage.ts'
import { freshStores, withTask, withTurn } from './fresh.ts'
import { attempt, output, text, tool } from './records.ts'

const spoken = (items: Parameters<typeof output>[1]) => {
  const stores = freshStores()
  const turn = withTurn(stores)
  stores.outputs.append(output('attempt-one', items))
  return { stores, ...turn }
}

describe('a growing text', () => {
  test('is what was said so far, in order', () => {
    const { stores } = spoken([text('Green '), text('is '), tool('tool-one')])
    stores.outputs.append(output('attempt-one', [text('best.')], 4))
    expect(stores.views.turn('attempt-one')).toMatchObject({
      text: 'Green is best.',
      outputSeq: 4,
      toolCount: 1,
      textLength: 14,
    })
  })

  test('hears nothing twice', () => {
    const { stores } = spoken([text('Green '), text('is ')])
    stores.outputs.append(output('attempt-one', [text('Green '), text('is '), text('best.'), tool('tool-one')]))
    stores.outputs.append(output('attempt-one', [tool('tool-one')], 4))
    expect([stores.attempts.text('attempt-one'), stores.views.turn('attempt-one').toolCount]).toEqual([
      'Green is best.',
      1,
    ])
  })

  test('gives way to the text that the agent says is the true one', () => {
    const { stores } = spoken([text('Gren'), { type: 'textReplaced', text: 'Green' }, text('.')])
    stores.outputs.append(output('attempt-one', [text('!'), { type: 'textReplaced', text: 'Blue' }], 4))
    expect(stores.attempts.text('attempt-one')).toBe('Blue')
  })

  test('may be long without a part of it being lost', () => {
    const stores = freshStores()
    withTurn(stores)
    const pieces = Array.from({ length: 300 }, (_, index) => `${index}:${'ä'.repeat(index)};`)
    for (const [index, piece] of pieces.entries())
      stores.outputs.append(output('attempt-one', [text(piece)], index + 1))
    expect(stores.attempts.text('attempt-one')).toBe(pieces.join(''))
  })

  test('is cut visibly where it would be longer than is kept, and grows no more', () => {
    const { stores } = spoken([text('x'.repeat(textPerAttemptMaxCharacters - 1))])
    for (const seq of [2, 3]) stores.outputs.append(output('attempt-one', [text('yyy')], seq))
    const kept = stores.attempts.text('attempt-one')
    const rows = stores.outputs.page('attempt-one', 1, 10).rows
    expect([kept.slice(-7), kept.length - textPerAttemptMaxCharacters, rows.length]).toEqual(['xy\n\n[…]', 5, 1])
  })

  test('is never cut within a character', () => {
    const { stores } = spoken([text('x'.repeat(textPerAttemptMaxCharacters - 1)), text('🦉🦉')])
    expect(stores.attempts.text('attempt-one').endsWith('x\n\n[…]')).toBe(true)
  })

  test('stays as it is when its attempt ends, however that ends', () => {
    const { stores, speaking } = spoken([text('Half a tho')])
    stores.ledger.commit({ attempts: [{ ...speaking, status: 'interrupted' }] })
    stores.ledger.commit({ attempts: [{ ...speaking, status: 'interrupted' }] })
    expect(stores.views.turn('attempt-one')).toMatchObject({
      status: 'interrupted',
      text: 'Half a tho',
      textLength: 10,
    })
  })

  test('takes in what was still on its way when the attempt ended', () => {
    const { stores, speaking } = spoken([text('Half a tho')])
    stores.ledger.commit({ attempts: [{ ...speaking, status: 'stopped' }] })
    stores.outputs.append(output('attempt-one', [text('ught')], 2))
    expect(stores.views.turn('attempt-one')).toMatchObject({ text: 'Half a thought', textLength: 14 })
  })

  test('of an attempt that is not there is refused', () => {
    const stores = freshStores()
    const unknown = expect.objectContaining({ code: 'attempt.unknown' })
    expect(() => stores.outputs.append(output('attempt-none', [text('x')]))).toThrow(unknown)
    expect(() => stores.attempts.text('attempt-none')).toThrow(unknown)
    expect(() => stores.outputs.page('attempt-none', 0, 1)).toThrow(unknown)
  })
})

describe('output', () => {
  test('is read back page by page, with neighbouring pieces of text as one', () => {
    const { stores } = spoken([
      text('a'),
      text('b'),
      tool('tool-one'),
      { type: 'reasoning', delta: 'hm' },
      { type: 'reasoning', delta: 'm' },
      text('c'),
    ])
    expect([stores.outputs.page('attempt-one', 0, 2), stores.outputs.page('attempt-one', 3, 9)]).toEqual([
      {
        rows: [
          { ...output('attempt-one', [text('ab')], 2)[0] },
          { ...output('attempt-one', [tool('tool-one')], 3)[0] },
        ],
        more: true,
      },
      {
        rows: [
          { ...output('attempt-one', [{ type: 'reasoning', delta: 'hmm' }], 5)[0] },
          { ...output('attempt-one', [text('c')], 6)[0] },
        ],
        more: false,
      },
    ])
  })

  test('of two attempts in one go stays apart', () => {
    const { stores, task } = spoken([])
    stores.ledger.commit({ attempts: [attempt('attempt-two', task)] })
    stores.outputs.append([...output('attempt-one', [text('one')]), ...output('attempt-two', [text('two')])])
    expect(
      ['attempt-one', 'attempt-two'].map((id) => [stores.attempts.text(id), stores.outputs.lastSeq(id)]),
    ).toEqual([
      ['one', 1],
      ['two', 1],
    ])
  })

  test('moves the last sign of life, the silence deadline and the usage, whatever the record says later', () => {
    const { stores, speaking } = spoken([])
    const usage = { ...noUsage, outputTokens: 7, provenance: 'reported' } as const
    stores.outputs.append(
      output('attempt-one', [
        { type: 'usage', usage: { ...usage, outputTokens: 3 } },
        { type: 'usage', usage },
        text('x'),
      ]),
    )
    stores.ledger.commit({ attempts: [{ ...speaking, silenceAt: 900 }] })
    expect(stores.attempts.get('attempt-one')).toMatchObject({ usage, lastOutputAt: 203, silenceAt: 1_203 })
    stores.ledger.commit({ attempts: [{ ...speaking, silenceAt: null }] })
    expect(stores.attempts.get('attempt-one')?.silenceAt).toBeNull()
  })

  test('says once that there was too much of it', { timeout: 30_000 }, () => {
    const { stores } = spoken([])
    const flood = Array.from({ length: outputRowsPerAttemptMax + 10 }, () => tool('tool-one'))
    stores.outputs.append(output('attempt-one', flood))
    const { rows, more } = stores.outputs.page('attempt-one', outputRowsPerAttemptMax - 1, 10)
    expect([rows.map(({ item }) => item.type), more]).toEqual([['tool', 'omitted'], false])
  })

  test('keeps a bounded amount of reasoning', () => {
    const { stores } = spoken([])
    for (const seq of [1, 2, 3]) {
      stores.outputs.append(
        output('attempt-one', [{ type: 'reasoning', delta: 'r'.repeat(reasoningPerAttemptMaxCharacters / 2) }], seq),
      )
    }
    expect(stores.outputs.reasoning('attempt-one')).toHaveLength(reasoningPerAttemptMaxCharacters)
  })
})

describe('a reply', () => {
  const vote = { choice: 'agree', position: 'Green', changed: true, why: 'It is calm.' } as const
  const reply = { attemptId: 'attempt-one', text: 'Green it is.', vote, noVote: null, capsule: '{"position":"Green"}' }

  test('is kept once, however often it is given', () => {
    const { stores } = spoken([text('Green it is. VOTE')])
    stores.attempts.keepReply(reply)
    const once = stores.views.turn('attempt-one')
    stores.attempts.keepReply(reply)
    expect([stores.views.turn('attempt-one'), once.text, once.textLength, once.vote]).toEqual([
      once,
      'Green it is.',
      12,
      vote,
    ])
  })

  test('keeps its vote when a later record knows of none', () => {
    const { stores, speaking } = spoken([])
    stores.attempts.keepReply(reply)
    stores.ledger.commit({ attempts: [{ ...speaking, status: 'completed' }] })
    expect(stores.views.turn('attempt-one')).toMatchObject({
      status: 'completed',
      vote,
      noVote: null,
      text: 'Green it is.',
    })
  })

  test('without a vote says why', () => {
    const { stores } = spoken([])
    stores.attempts.keepReply({ ...reply, vote: null, noVote: 'malformed', capsule: null })
    expect([stores.attempts.get('attempt-one'), stores.attempts.capsules('run-one')]).toMatchObject([
      { vote: null, noVote: 'malformed' },
      [],
    ])
  })

  test('leaves a capsule for later speakers, in the order of rounds and calls', () => {
    const stores = freshStores()
    const task = withTask(stores, 'conversation-one', 'run-one')
    const calls = [['attempt-a', 2], ['attempt-b', 1], ['attempt-c', 1], ['attempt-d', 2]] as const
    for (const [attemptId, round] of calls) {
      stores.ledger.commit({ attempts: [attempt(attemptId, task, { round })] })
      stores.attempts.keepReply({ ...reply, attemptId, capsule: `from ${attemptId}` })
    }
    expect(
      stores.attempts.capsules('run-one').map(({ round, capsule, vote: position }) => [round, capsule, position]),
    ).toEqual([
      [1, 'from attempt-b', vote],
      [1, 'from attempt-c', vote],
      [2, 'from attempt-a', vote],
      [2, 'from attempt-d', vote],
    ])
  })
})

describe('runs and attempts', () => {
  test('that have not ended are found again, whatever conversation they are in', () => {
    const stores = freshStores()
    const ended = withTask(stores, 'conversation-one', 'run-one')
    const live = withTask(stores, 'conversation-two', 'run-two')
    stores.ledger.commit({
      runs: [{ ...ended, status: 'failed', settledAt: 9 }],
      attempts: [
        attempt('attempt-one', ended, { status: 'failed' }),
        attempt('attempt-two', live),
        attempt('attempt-three', live, { status: 'parked' }),
      ],
    })
    expect([
      stores.runs.nonTerminal(), stores.attempts.nonTerminal().map(({ attemptId }) => attemptId),
      stores.runs.active('conversation-one'), stores.runs.active('conversation-two'),
    ]).toEqual([[live], ['attempt-two', 'attempt-three'], null, live])
  })

  test('are accepted once, with everything that goes with it', () => {
    const stores = freshStores()
    const task = withTask(stores, 'conversation-one', 'run-one')
    const queued = {
      queuedId: 'queued-one', conversationId: 'conversation-one', text: 'next', targets: ['codex'],
      settings: { rounds: 1, blindFirst: false }, createdAt: 1, refusal: null, images: [],
    } as const
    stores.queue.add({ ...queued, targets: ['codex'] })
    stores.drafts.save('conversation-one', 'next', 1)
    stores.ledger.commit({ runs: [{ ...task, status: 'agreed', settledAt: 5 }] })
    const message = { messageId: 'message-next', conversationId: 'conversation-one', text: 'next', at: 6 }
    const next = { ...task, runId: 'run-next', messageId: 'message-next', topic: 'next' }
    for (let again = 1; again <= 2; again += 1)
      stores.accept({ message, run: next, queuedId: 'queued-one', clearsDraft: true })
    stores.accept({ message: { ...message, messageId: task.messageId, text: task.topic }, run: task })
    expect([
      stores.queue.list('conversation-one'), stores.drafts.get('conversation-one'), stores.messages.get('message-next'),
      stores.runs.get('run-one')?.status, [...stores.runs.every()].map(({ runId }) => runId),
    ]).toEqual([[], '', message, 'agreed', ['run-one', 'run-next']])
  })

  test('that follow another share its message', () => {
    const stores = freshStores()
    const first = withTask(stores, 'conversation-one', 'run-one')
    const following = { ...first, runId: 'run-two', followUpOf: 'run-one' }
    stores.accept({ message: stores.messages.get(first.messageId)!, run: following })
    expect([stores.runs.get('run-two')?.topic, stores.runs.get('run-two')?.followUpOf]).toEqual([
      first.topic,
      'run-one',
    ])
  })

  test('are not accepted without their message', () => {
    const stores = freshStores()
    const task = withTask(stores, 'conversation-one', 'run-one')
    expect(() => stores.ledger.commit({ runs: [{ ...task, runId: 'run-two', messageId: 'message-none' }] })).toThrow(
      'refused',
    )
    expect(stores.runs.get('run-two')).toBeNull()
  })
})
