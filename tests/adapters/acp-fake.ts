import { createInterface } from 'node:readline'

/** An ACP agent of few words that misbehaves as its first argument says; it writes its lines by hand. */
const scenario = process.argv[2] ?? ''
const received: unknown[] = []
let nextId = 100
/** What it was in when it was left; it says otherwise. */
let mode = 'plan'
const waiting = new Map<number, (answer: { result?: unknown; error?: { code: number } }) => void>()

interface Message {
  id?: number
  method?: string
  params?: { sessionId?: string; modeId?: string; prompt?: { text: string }[]; configId?: string; value?: string }
  result?: unknown
  error?: { code: number }
}

const print = (line: string) => {
  process.stdout.write(`${line}\n`)
}
const send = (message: object) => print(JSON.stringify({ jsonrpc: '2.0', ...message }))
const update = (body: object, sessionId = 's1') =>
  send({ method: 'session/update', params: { sessionId, update: body } })
const say = (text: string, more: object = {}) =>
  update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text }, ...more })
const ask = (method: string, params: object) => {
  nextId += 1
  const id = nextId
  send({ id, method, params })
  return new Promise<{ result?: unknown; error?: { code: number } }>((resolve) => {
    waiting.set(id, resolve)
  })
}
const askPermission = (toolCall: object, kinds: string[], sessionId = 's1') =>
  ask('session/request_permission', {
    sessionId,
    toolCall,
    options: kinds.map((kind, index) => ({ optionId: `o${index}-${kind}`, kind, name: kind })),
  })

const modes = {
  currentModeId: 'auto',
  availableModes: [
    { id: 'auto', name: 'Auto' },
    { id: 'plan', name: 'Plan' },
    { id: 'edit', name: 'Edit' },
  ],
}

const chosen = new Map([['work', 'edit'], ['allow_all', 'on']])
const choices = () => [
  { id: 'model', category: 'model', type: 'select', currentValue: 'm', options: [{ value: 'm', name: 'M' }] },
  {
    id: 'work',
    category: 'mode',
    type: 'select',
    currentValue: chosen.get('work'),
    options: [{ group: 'all', name: 'All', options: [{ value: 'edit' }, { value: 'plan' }] }],
  },
  {
    id: 'allow_all',
    type: 'select',
    currentValue: chosen.get('allow_all'),
    options: [{ value: 'on' }, { value: 'off' }],
  },
]
const offered = () => {
  if (scenario === 'bare') return {}
  return ['options', 'keeps'].includes(scenario) ? { configOptions: choices() } : { modes }
}

const turns: Record<string, (id: number) => void | Promise<void>> = {
  report: () => say(JSON.stringify({ received, env: process.env, argv: process.argv.slice(2), cwd: process.cwd() })),
  noise: () => {
    print('Loading extensions...')
    print('')
    say('fine')
  },
  broken: () => print('{"jsonrpc":"2.0","method":"session/upd'),
  babble: () => {
    for (let index = 0; index < 300; index += 1) print(`line ${index}`)
  },
  dies: () => {
    say('I was about to')
    process.stderr.write(`fatal: no credit left for ${process.env['FAKE_KEY']} in ${process.env['HOME']}/x\n`)
    process.exitCode = 3
    process.stdout.end(() => process.exit(3))
  },
  tools: () => {
    say('Let me ')
    say('look.')
    update({ sessionUpdate: 'tool_call', toolCallId: 't1', title: 'Read a', kind: 'read', status: 'pending' })
    update({
      sessionUpdate: 'tool_call_update',
      toolCallId: 't1',
      status: 'completed',
      content: [{ type: 'content', content: { type: 'text', text: 'found' } }],
    })
    say('It says yes.')
    update({ sessionUpdate: 'tool_call', toolCallId: 't2', title: 'Move b', kind: 'move', status: 'in_progress' })
    update({
      sessionUpdate: 'tool_call_update',
      toolCallId: 't2',
      content: [{ type: 'diff', path: 'b.txt', oldText: null, newText: 'x' }],
    })
    update({
      sessionUpdate: 'plan',
      entries: [
        { content: 'one', status: 'completed', priority: 'low' },
        { content: 'two', status: 'in_progress', priority: 'low' },
      ],
    })
    update({ sessionUpdate: 'available_commands_update', availableCommands: [] })
    update({ sessionUpdate: 'constructor', data: 1 })
    update({ sessionUpdate: 'tool_call', title: 'without an id' })
    say('not mine', {})
    send({
      method: 'session/update',
      params: {
        sessionId: 'other',
        update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'SECRET OF ANOTHER' } },
      },
    })
    update({ sessionUpdate: 'agent_message_chunk', content: { type: 'image', data: '', mimeType: 'image/png' } })
  },
  secrets: () => {
    const key = process.env['FAKE_KEY'] ?? ''
    say(`The key is ${key.slice(0, 7)}`)
    say(`${key.slice(7)} and home is ${process.env['HOME']}/notes.`)
    update({
      sessionUpdate: 'tool_call',
      toolCallId: 't1',
      title: `curl -H ${key}`,
      kind: 'execute',
      status: 'completed',
    })
  },
  methods: async () => {
    const read = await ask('fs/read_text_file', { sessionId: 's1', path: '/etc/passwd' })
    const terminal = await ask('terminal/create', { sessionId: 's1', command: 'id' })
    const unknown = await ask('x/unknown', {})
    say(JSON.stringify([read.error?.code, terminal.error?.code, unknown.error?.code]))
  },
  open: () => {
    void askPermission({ toolCallId: 't1', title: 'touch x', kind: 'execute' }, ['allow_once', 'reject_once'])
  },
  double: async () => {
    const first = askPermission({ toolCallId: 't1' }, ['allow_once', 'reject_once'])
    const second = await askPermission({ toolCallId: 't1' }, ['allow_once', 'reject_once'])
    const foreign = await askPermission({ toolCallId: 't2' }, ['allow_once'], 'other')
    say(JSON.stringify([second.error?.code, foreign.result, (await first).result]))
  },
  details: async () => {
    await askPermission(
      { toolCallId: 'a', kind: 'execute', title: 'run it', rawInput: { command: ['rm', '-r', 'x'] } },
      ['allow_once'],
    )
    await askPermission(
      {
        toolCallId: 'b',
        kind: 'edit',
        title: 'Edit',
        content: [{ type: 'diff', path: '/w/a.txt', oldText: '', newText: '' }],
      },
      ['allow_once'],
    )
    await askPermission(
      { toolCallId: 'c', title: 'Shell', content: [{ type: 'content', content: { type: 'text', text: 'touch y' } }] },
      ['allow_once'],
    )
    await askPermission({ toolCallId: 'd' }, [])
  },
  cumulative: () => {},
  asides: () => {
    say('Info: trying again')
    say('Error: this one is a sentence of the model')
    say('Info: called off')
    say(' and no end.')
  },
  'fails-in-prose': () => {
    say('Info: trying again')
    say('Error: refused by the provider (HTTP 401)')
  },
  'ends-in-prose': () => say('Error: is how the answer begins and ends'),
  strays: () => {
    update({ sessionUpdate: 'current_mode_update', currentModeId: 'edit' })
    return new Promise(() => {})
  },
  wanders: () => update({ sessionUpdate: 'current_mode_update', currentModeId: 'plan' }),
  leavesTool: () => update({ sessionUpdate: 'tool_call', toolCallId: 't9', title: 'Wait', status: 'in_progress' }),
  prose: () => say('[API Error: 429 slow down, try again in 3 seconds]'),
  switches: async () => {
    const answer = await askPermission({ toolCallId: 't8', title: 'Leave the plan', kind: 'switch_mode' }, [
      'allow_once',
      'reject_once',
    ])
    say(JSON.stringify(answer.result))
  },
  quits: () => {
    setImmediate(() => process.exit(0))
  },
  restless: (id) => {
    send({ id, result: { stopReason: 'end_turn' } })
    void askPermission({ toolCallId: 't7', title: 'By the way', kind: 'execute' }, ['allow_once', 'reject_once'])
  },
  tellsLate: (id) => {
    send({ id, result: { stopReason: 'end_turn' } })
    update({ sessionUpdate: 'usage_update', used: 1_234, size: 9_000 })
  },
  costs: () => update({ sessionUpdate: 'usage_update', used: 10, size: 99, cost: { amount: 0.5, currency: 'USD' } }),
  requests: () => {
    for (const inputTokens of [100, 250]) say('', { _meta: { usage: { inputTokens, outputTokens: 5 } } })
  },
  silent: () => new Promise(() => {}),
}

const usageOf = (verb: string, text: string): object => {
  const counted = { inputTokens: 100, outputTokens: 30 }
  if (verb === 'cumulative' || verb === 'ends-in-prose') {
    return { usage: { inputTokens: 1_200 * Number(text), outputTokens: 30 * Number(text), totalTokens: 0 } }
  }
  if (verb === 'quota') return { _meta: { quota: { token_count: { input_tokens: 2_400, output_tokens: 68 } } } }
  const cached = { ...counted, cachedReadTokens: 50 }
  if (verb === 'beside') return { usage: { ...cached, cachedWriteTokens: 20, totalTokens: 200 } }
  if (verb === 'within') return { usage: { ...cached, totalTokens: 130 } }
  return verb === 'costs' ? { usage: counted } : {}
}

const answerPrompt = async (id: number, text: string) => {
  // one process that is kept does another thing in each of its turns
  const wish = text.startsWith('do:') ? text.slice('do:'.length) : scenario
  const [verb = '', argument = ''] = wish.split(':')
  if (verb === 'stop') return send({ id, result: { stopReason: argument } })
  if (verb === 'error') return send({ id, error: JSON.parse(wish.slice('error:'.length)) })
  if (verb === 'ask') {
    const answer = await askPermission(
      { toolCallId: 't1', title: 'touch x', kind: 'execute', rawInput: { command: 'touch x' } },
      argument.split(','),
    )
    say(JSON.stringify(answer.result))
  }
  await turns[verb]?.(id)
  const usage = usageOf(verb, text)
  if (['broken', 'dies', 'restless', 'tellsLate'].includes(verb)) return
  send({ id, result: { stopReason: 'end_turn', ...usage } })
}

const handle = (message: Message): void => {
  received.push(message)
  const { id, method, params } = message
  if (method === undefined) return waiting.get(id ?? -1)?.(message)
  if (id === undefined || scenario === 'mute') return
  if (method === 'initialize') return initialize(id)
  if (method === 'session/new') {
    if (scenario === 'login') return send({ id, error: { code: -32_000, message: 'Authentication required' } })
    if (scenario === 'odd') return send({ id, result: { sessionId: 7 } })
    return send({ id, result: { sessionId: 's1', ...offered() } })
  }
  if (method === 'session/load') {
    if (params?.sessionId !== 's1') return send({ id, error: { code: -32_602, message: 'unknown' } })
    say('an old answer')
    return send({ id, result: offered() })
  }
  if (method === 'session/set_config_option') {
    if (scenario !== 'keeps') chosen.set(params?.configId ?? '', params?.value ?? '')
    return send({ id, result: { configOptions: choices() } })
  }
  if (method === 'session/set_mode' && scenario === 'sticks') {
    const isIn = params?.modeId === mode
    mode = params?.modeId ?? mode
    return send({ id, ...(isIn ? { error: { code: -32_603, message: `Already in ${mode}` } } : { result: {} }) })
  }
  if (method === 'session/prompt') return void answerPrompt(id, params?.prompt?.[0]?.text ?? '')
  return send({ id, result: {} })
}

const initialize = (id: number) => {
  if (scenario === 'dies-early') {
    process.stderr.write('this version of the runtime is too old\n')
    process.exit(1)
  }
  const protocolVersion = scenario === 'other-version' ? 9 : 1
  send({
    id,
    result: {
      protocolVersion,
      agentInfo: { name: 'fake', version: '7.8.9' },
      agentCapabilities: {
        loadSession: scenario !== 'no-load',
        ...(scenario === 'blind' ? {} : { promptCapabilities: { image: true } }),
      },
    },
  })
}

if (scenario === 'stubborn') {
  process.on('SIGTERM', () => {})
  setInterval(() => {}, 1_000)
}

createInterface({ input: process.stdin }).on('line', (line) => handle(JSON.parse(line) as Message))
