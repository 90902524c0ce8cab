import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { positionMaxCharacters, voteBlockMaxCharacters } from '../../shared/limits.ts'
import type { NoVote } from '../../shared/vote.ts'
import { readCodeWord, readVote, VoteFilter, voteInstruction } from '../../shared/vote-text.ts'

const nonce = 'k7q2m9'
const agree = { choice: 'agree', position: 'Use one table', changed: false, why: 'It is enough' } as const
const open = (code = nonce) => `[[parley-vote ${code}]]`
const echo = voteInstruction(nonce)
const close = '[[/parley-vote]]'
const block = (code = nonce, object: unknown = agree) => `${open(code)} ${JSON.stringify(object)} ${close}`

const voted = { vote: agree, noVote: null }
const without = (noVote: NoVote) => ({ vote: null, noVote })

describe('a vote is read', () => {
  test.each([
    ['at the very end', `Fine.\n\n${block()}`, 'Fine.\n\n'],
    ['with only white space after it', `Fine.\n${block()} \n\n`, 'Fine.\n \n\n'],
    ['when it is all there is', block(), ''],
    ['from a code fence of its own, which goes with it', `Fine.\n\`\`\`json\n${block()}\n\`\`\`\n`, 'Fine.\n\n'],
    ['before the end of a fence that holds more', `~~~\ncode\n${block()}\n~~~`, '~~~\ncode\n\n~~~'],
    ['after a closed code fence, which stays', `\`\`\`\ncode\n\`\`\`\n\n${block()}`, '```\ncode\n```\n\n'],
    [
      'with its marker in other letters and spaces',
      `Fine. [[ Parley-Vote  ${nonce} ]]${JSON.stringify(agree)}[[/PARLEY-VOTE]]`,
      'Fine. ',
    ],
    ['with its object on several lines', `Fine.\n${open()}\n${JSON.stringify(agree, null, 2)}\n${close}`, 'Fine.\n'],
    ['with its object in a fence', `${open()}\n\`\`\`json\n${JSON.stringify(agree)}\n\`\`\`\n${close}`, ''],
    [
      "after a quotation of a peer's vote",
      `They said ${block('other1')} and I agree. ${block()}`,
      'They said  and I agree. ',
    ],
    ['after the prompt was repeated', `${echo}\n${block()}`, `${echo.replace(/\[\[.*\]\]/, '')}\n`],
    [
      'after its marker was mentioned with another word',
      `I end with ${open('CODE')} as asked. ${block()}`,
      'I end with  as asked. ',
    ],
  ])('%s', (_title, turn, text) => {
    expect(readVote(turn, nonce)).toEqual({ reading: voted, text })
  })

  test('with a position that is too long cut to its limit', () => {
    const { reading } = readVote(block(nonce, { ...agree, position: `two\nlines ${'x'.repeat(400)}` }), nonce)
    expect(reading.vote?.position).toMatch(/^two lines x+…$/)
    expect(reading.vote?.position).toHaveLength(positionMaxCharacters)
  })
})

describe('a turn has no vote', () => {
  test.each<[NoVote, string, string, string]>([
    ['missing', 'when it is empty', '', ''],
    ['missing', 'when it only says so in words', 'I agree. My vote: agree.', 'I agree. My vote: agree.'],
    [
      'missing',
      'when the marker is translated',
      '[[parley-stimme k7q2m9]] {} [[/parley-stimme]]',
      '[[parley-stimme k7q2m9]] {} [[/parley-stimme]]',
    ],
    ['foreign', 'when the block has another code word', `Fine. ${block('zzz')}`, 'Fine. '],
    ['foreign', 'when the block has the code word in other letters', `Fine. ${block(nonce.toUpperCase())}`, 'Fine. '],
    ['foreign', 'when the block has no code word', `Fine. [[parley-vote]] ${JSON.stringify(agree)} ${close}`, 'Fine. '],
    [
      'ambiguous',
      'when there are two that contradict',
      `${block()}\n${block(nonce, { ...agree, choice: 'continue' })}`,
      '\n',
    ],
    ['ambiguous', 'when the same is there twice', `${block()} ${block()}`, ' '],
    ['ambiguous', 'when one was quoted in a fence before', `\`\`\`\n${block()}\n\`\`\`\nso\n${block()}`, '\nso\n'],
    ['notLast', 'when text follows', `Fine. ${block()} One more thing.`, 'Fine.  One more thing.'],
    [
      'notLast',
      'when it stands in a fence in the middle',
      `a\n\`\`\`\n${block()}\n\`\`\`\nthen more`,
      'a\n\nthen more',
    ],
    ['notLast', 'when another block follows', `${block()} ${block('zzz')}`, ' '],
    ['malformed', 'when the object is no JSON', `${open()} agree ${close}`, ''],
    ['malformed', 'when a word is translated', block(nonce, { ...agree, choice: 'zustimmen' }), ''],
    ['malformed', 'when a word has a capital', block(nonce, { ...agree, choice: 'Agree' }), ''],
    ['malformed', 'when a part is missing', block(nonce, { choice: 'agree', position: 'x' }), ''],
    ['malformed', 'when a part is empty', block(nonce, { ...agree, position: '  ' }), ''],
    ['malformed', 'when there is a part too many', block(nonce, { ...agree, weight: 9 }), ''],
    ['malformed', 'when it is cut off at the end', `Fine. ${open()} {"choice":"agr`, 'Fine. '],
    ['malformed', 'when a second begins in the first', `${open()} {"choice" ${block('zzz')}`, ''],
    [
      'malformed',
      'when it is too long for a vote',
      `${open()} ${'x'.repeat(voteBlockMaxCharacters)} ${close}`,
      ` ${'x'.repeat(voteBlockMaxCharacters)} `,
    ],
  ])('%s %s', (noVote, _title, turn, text) => {
    expect(readVote(turn, nonce)).toEqual({ reading: without(noVote), text })
  })

  test('when all it does is repeat the instruction', () => {
    for (const turn of [voteInstruction(nonce), `\`\`\`\n${voteInstruction(nonce)}\n\`\`\``]) {
      expect(readVote(turn, nonce).reading.vote).toBeNull()
    }
    expect(readCodeWord(voteInstruction(nonce).split('\n'))).toBe(nonce)
  })
})

describe('text that is no vote', () => {
  test.each([
    'a [[link]] and [[parley-vo',
    '[',
    '[[',
    'x [[parley',
    '`code` and ``` and ~~~',
    '```\n',
    '```ts\nconst a = b[0]\n```\n',
    '[[parley-votes 1]] [[parley]] [[ask:careful@2]]',
    `[[${'p'.repeat(400)}`,
    '[[parley-vote\nk7q2m9]] {}',
  ])('stays as it is: %j', (turn) => {
    expect(readVote(turn, nonce)).toEqual({ reading: without('missing'), text: turn })
    expect(stream(turn.split(''))).toBe(turn)
  })

  test('is given out at once where it cannot become a vote', () => {
    const filter = new VoteFilter()
    expect(filter.push('Hello, [world')).toBe('Hello, [world')
    expect(filter.push('] and [[')).toBe('] and ')
    expect(filter.push('no')).toBe('[[no')
  })

  test('is never held back for longer than a block may be', () => {
    const filter = new VoteFilter()
    const given = filter.push(open()) + filter.push(' endless'.repeat(1_000))
    expect(`${open()}${' endless'.repeat(1_000)}`.length - given.length).toBeLessThanOrEqual(voteBlockMaxCharacters)
  })
})

test('no marker grows together where something was taken out', () => {
  const turn = `[[parley-vote k7${close}q2m9]] [${block('zzz')}[parley-vote ${nonce}]]`
  expect(readVote(turn, nonce).text).toBe('[[parley-vote k7\nq2m9]] [\n[parley-vote k7q2m9]]')
})

test('every split of every text gives the same, and never a marker', () => {
  const piece = fc.constantFrom(
    block(),
    block('zzz'),
    open(),
    open('zzz'),
    close,
    '```json\n',
    '```',
    '~~~\n',
    '\n',
    ' ',
    '[',
    ']',
    '[[',
    '{',
    'text ',
    '{"choice":"agree"',
    '[[/parley-vote',
    '[[parley-vote',
    `${nonce}]]`,
    `vote ${nonce}]]`,
    '[[parley-',
    ' k7',
    'é',
    '😀',
    'x'.repeat(700),
  )
  const cuts = fc.array(fc.nat({ max: 6_000 }), { maxLength: 12 })
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), cuts, (pieces, at) => {
      const turn = pieces.join('')
      const { text } = readVote(turn, nonce)
      expect(stream(split(turn, at))).toBe(text)
      expect(text).not.toContain(open())
    }),
    { numRuns: 2_000 },
  )
})

test('a turn given one character at a time loses its vote and nothing else', () => {
  const turns = [
    `Fine.\n\`\`\`json\n${block()}\n\`\`\`\n`,
    `\`\`\`\ncode\n\`\`\`\n\n${block()}`,
    `a ${block('zzz')} b ${block()}\n`,
    `${open()} {"choice" ${block('zzz')}`,
    `Fine. ${open()} {"cho`,
  ]
  for (const turn of turns) expect(stream(turn.split(''))).toBe(readVote(turn, nonce).text)
})

const stream = (deltas: readonly string[]): string => {
  const filter = new VoteFilter()
  return deltas.map((delta) => filter.push(delta)).join('') + filter.end()
}

const split = (text: string, cuts: readonly number[]): string[] => {
  const sorted = [0, ...cuts.map((cut) => Math.min(cut, text.length)).toSorted((a, b) => a - b), text.length]
  return sorted.slice(1).map((end, index) => text.slice(sorted[index], end))
}
