import { expect, test } from 'vitest'
import { AcpWire } from '../../adapters/agents/acp/wire.ts'

const update = {
  jsonrpc: '2.0',
  method: 'session/update',
  params: { sessionId: 's', update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Yes.' } } },
}
const pretty = JSON.stringify(update, null, 2)

const listenTo = (printed: string) => {
  const wire = new AcpWire()
  const heard: unknown[] = []
  const left: string[] = []
  wire.listener = {
    update: (params) => heard.push(params),
    ask: () => Promise.reject(new Error('nothing is asked here')),
    omitted: (what) => left.push(what),
  }
  for (const line of printed.split('\n')) wire.line(line)
  return { heard, left, fault: wire.fault?.code ?? null }
}

test('a message that is printed the pretty way between banners is taken as one', () => {
  const { heard, fault } = listenTo(['(node:1) Warning: old', 'Loaded cached credentials.', pretty, ''].join('\n'))
  expect({ heard, fault }).toEqual({ heard: [update.params], fault: null })
})

test('a message that opens and never closes is given up at the next whole one', () => {
  const { heard, fault } = listenTo(['{', '  "half": [', JSON.stringify(update)].join('\n'))
  expect({ heard, fault }).toEqual({ heard: [update.params], fault: null })
})

test.each([
  ['a torn message', '{"jsonrpc":"2.0","method":"session/upd'],
  ['JSON of something else', '{"hello":1}'],
  ['JSON of something else, the pretty way', '{\n  "hello": 1\n}'],
  ['a pretty message that is torn within', '{\n  "method": \n}'],
])('%s cannot be understood', (_, printed) => {
  expect(listenTo(printed)).toMatchObject({ heard: [], fault: 'agent.garbled' })
})
