import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AgentId } from '../../shared/agent.ts'
import { readPrompt } from '../../shared/read-prompt.ts'
import { noUsage } from '../../shared/usage.ts'
import { failing, FakeAdapter, type Script } from './fake-adapter.ts'
import { TestOffice } from './office.ts'

/** What a story may use: offices of its own, which are closed and removed after it. */
interface Stage {
  open: (script: Script, options?: ConstructorParameters<typeof FakeAdapter>[1]) => Promise<TestOffice>
  /** The same folder after an orderly end. */
  next: (office: TestOffice, script: Script) => Promise<TestOffice>
  /** What a kill would leave at this moment, opened by a next start. */
  afterACrash: (office: TestOffice, script: Script) => Promise<TestOffice>
}

interface Told {
  office: TestOffice
  runId: string
}

/** Runs of every kind, each told from its message to its end: what the corpus of recorded runs is made from. */
export const runStories: Readonly<Record<string, (stage: Stage) => Promise<Told>>> = {
  'agreed-in-two-rounds': async ({ open }) => {
    const office = await open(({ round, request, say, vote, hear }) => {
      hear({ type: 'reasoning', delta: 'Weighing it.' })
      hear({ type: 'tool', tool: { toolId: 't1', kind: 'read', title: 'read notes.md', status: 'done', detail: null } })
      say(`Round ${round} of ${request.agent}.`)
      hear({ type: 'usage', usage: { ...noUsage, inputTokens: 100, outputTokens: 20, provenance: 'reported' } })
      vote(round >= 2 ? 'agree' : 'continue', 'Use Postgres', round >= 2)
    })
    const runId = await office.send(await office.group(), 'Redis or Postgres?')
    await office.runEnds(runId)
    return { office, runId }
  },

  'blind-first-round': async ({ open }) => {
    const office = await open(({ round, request, say, vote }) => {
      say(`Word of ${request.agent}.`)
      vote(round === 2 ? 'agree' : 'continue', 'Go')
    })
    const runId = await office.send(await office.group(), 'Go?', { settings: { rounds: 3, blindFirst: true } })
    await office.runEnds(runId)
    return { office, runId }
  },

  'rounds-up': async ({ open }) => {
    const office = await open(({ request, round, say, vote }) => {
      say('No.')
      vote('continue', `${request.agent} says ${round}`, true)
    })
    const runId = await office.send(await office.group(), 'Go?', { settings: { rounds: 2, blindFirst: false } })
    await office.runEnds(runId)
    return { office, runId }
  },

  'stalled-and-a-position-accepted': async ({ open }) => {
    const office = await open(({ request, say, vote }) => {
      say('As before.')
      vote('continue', `the view of ${request.agent}`)
    })
    const runId = await office.send(await office.group(pair), 'Go?', unlimited)
    const gate = await office.gate()
    const accepted = gate.options.find(({ position }) => position === 'the view of rehearsal:careful')
    await office.handlers['gate.answer']({ gateId: gate.gateId, optionId: accepted?.optionId ?? '', note: null })
    await office.runEnds(runId)
    return { office, runId }
  },

  'failed-attempt-with-a-retry': async ({ open }) => {
    let times = 0
    const office = await open(({ request, say, vote }) => {
      say('I begin. ')
      if (request.agent === 'rehearsal:bold' && times++ === 0) {
        return { status: 'failed', failure: { ...rateLimited, retryAfterMs: 40 } }
      }
      vote('agree', 'Do it')
      return undefined
    })
    const runId = await office.send(await office.group(pair), 'Shall we?')
    await office.runEnds(runId)
    return { office, runId }
  },

  'one-fails-for-good': async ({ open }) => {
    const office = await open(({ say, vote, request }) => {
      if (request.agent === 'rehearsal:sceptic') return failing('agent.unauthorized')
      say('Yes.')
      vote('agree', 'Do it')
      return undefined
    })
    const runId = await office.send(await office.group(), 'Shall we?')
    await office.runEnds(runId)
    return { office, runId }
  },

  'everyone-fails': async ({ open }) => {
    const office = await open(() => failing('agent.unauthorized'))
    const runId = await office.send(await office.group(pair), 'Shall we?')
    await office.runEnds(runId)
    return { office, runId }
  },

  'gates-allowed-and-denied': async ({ open }) => {
    const office = await open(asksFirst)
    const runId = await office.send(await office.group(pair), 'Ship?')
    await answer(office, 'allow', null)
    await answer(office, 'deny-with-note', 'too slow')
    await office.runEnds(runId)
    return { office, runId }
  },

  'gate-withdrawn-by-a-stop': async ({ open }) => {
    const office = await open(asksFirst)
    const runId = await office.send(await office.group(pair), 'Ship?')
    await office.gate()
    await office.handlers['run.stop']({ runId })
    await office.runEnds(runId)
    return { office, runId }
  },

  'stopped-while-all-speak': async ({ open }) => {
    const office = await open(({ say, hang }) => {
      say('Well, ')
      return hang()
    })
    const runId = await office.send(await office.group(), 'Go?', { settings: { rounds: 3, blindFirst: true } })
    for (const agent of everybody) await office.turn(runId, agent, 'streaming')
    await office.handlers['run.stop']({ runId })
    await office.runEnds(runId)
    return { office, runId }
  },

  'one-passed-over': async ({ open }) => {
    const office = await open(boldHangs)
    const runId = await office.send(await office.group(), 'Go?')
    const { attemptId } = await office.turn(runId, 'rehearsal:bold', 'streaming')
    await office.handlers['attempt.cancel']({ runId, attemptId })
    await office.runEnds(runId)
    return { office, runId }
  },

  'retried-by-the-person': async ({ open }) => {
    let times = 0
    const office = await open(({ request, say, vote, hang }) => {
      if (request.agent === 'rehearsal:bold' && times++ === 0) {
        say('Lost the thread')
        return hang()
      }
      say('Fine. ')
      return vote('agree', 'Go')
    })
    const runId = await office.send(await office.group(pair), 'Go?')
    const { attemptId } = await office.turn(runId, 'rehearsal:bold', 'streaming')
    await office.handlers['attempt.retry']({ runId, attemptId })
    await office.runEnds(runId)
    return { office, runId }
  },

  'replaced-while-speaking': async ({ open }) => {
    const office = await open(boldHangs)
    const runId = await office.send(await office.group(pair), 'Go?')
    const { attemptId } = await office.turn(runId, 'rehearsal:bold', 'streaming')
    await office.handlers['attempt.replace']({ runId, attemptId, agent: 'rehearsal:sceptic' })
    await office.runEnds(runId)
    return { office, runId }
  },

  'held-and-resumed': async ({ open }) => {
    const office = await open(({ round, say, vote }) => {
      say(`${round}`)
      vote(round === 3 ? 'agree' : 'continue', `position ${round}`, true)
    })
    const runId = await office.send(await office.group(pair), 'Go?')
    await office.handlers['run.pause']({ runId })
    await office.until(async () => (await office.handlers['run.open']({ runId })).run.status === 'holding')
    await office.handlers['run.resume']({ runId })
    await office.runEnds(runId)
    return { office, runId }
  },

  'interrupted-by-a-crash': async ({ open, afterACrash }) => {
    const office = await open(({ request, say, hang }) => {
      say(`Thoughts of ${request.agent}.`)
      return hang()
    })
    const runId = await office.send(await office.group(), 'Go?', { settings: { rounds: 3, blindFirst: true } })
    for (const agent of everybody) await office.turn(runId, agent, 'streaming')
    const next = await afterACrash(office, nobodySpeaks)
    await next.runEnds(runId)
    return { office: next, runId }
  },

  'parked-by-a-crash-and-answered': async ({ open, afterACrash }) => {
    const office = await open(async ({ request, say, ask, hang }) => {
      say(`Thoughts of ${request.agent}.`)
      if (request.agent === 'rehearsal:sceptic') await ask('run a command', 'npm test')
      return hang()
    })
    const runId = await office.send(await office.group(), 'Go?', { settings: { rounds: 3, blindFirst: true } })
    await office.turn(runId, 'rehearsal:sceptic', 'awaitingGate')
    for (const agent of ['rehearsal:bold', 'rehearsal:careful'] as const) await office.turn(runId, agent, 'streaming')
    const next = await afterACrash(office, goesOn)
    await answer(next, 'allow', null)
    await next.runEnds(runId)
    return { office: next, runId }
  },

  'gate-answered-after-an-orderly-end': async ({ open, next }) => {
    const office = await open(asksFirst)
    const runId = await office.send(await office.group(pair), 'Ship?')
    await office.gate()
    const later = await next(office, goesOn)
    await answer(later, 'allow', null)
    await later.runEnds(runId)
    return { office: later, runId }
  },

  'closed-while-speaking': async ({ open, next }) => {
    const office = await open(({ say, hang }) => {
      say('Hm.')
      return hang()
    })
    const runId = await office.send(await office.group(pair), 'Go?')
    await office.turn(runId, 'rehearsal:bold', 'streaming')
    return { office: await next(office, nobodySpeaks), runId }
  },

  'follow-up-of-an-interrupted-run': async ({ open, afterACrash }) => {
    const office = await open(async ({ request, round, say, vote, hang }) => {
      say(`Word of ${request.agent} in round ${round}.`)
      if (round === 2) await hang()
      vote('continue', 'Maybe')
    })
    const before = await office.send(await office.group(), 'Go?')
    await office.until(async () => {
      const { turns } = await office.handlers['run.open']({ runId: before })
      return turns.some(({ round, text }) => round === 2 && text !== '')
    })
    const next = await afterACrash(office, agrees)
    const { runId } = await next.handlers['run.followUp']({ runId: before, seats: null, replace: {} })
    await next.runEnds(runId)
    return { office: next, runId }
  },

  'second-message-of-a-chat': async ({ open }) => {
    const office = await open(({ say }) => say('As you like.'))
    const conversationId = await office.chat()
    await office.runEnds(await office.send(conversationId, 'The first question'))
    const runId = await office.send(conversationId, 'And the second')
    await office.runEnds(runId)
    return { office, runId }
  },

  'chat-without-a-session-of-its-own': async ({ open }) => {
    const office = await open(({ say }) => say('As you like.'), { mayContinue: false })
    const conversationId = await office.chat()
    await office.runEnds(await office.send(conversationId, 'The first question'))
    const runId = await office.send(conversationId, 'And the second')
    await office.runEnds(runId)
    return { office, runId }
  },

  'group-of-one-round': async ({ open }) => {
    const office = await open(({ request, say }) => {
      if (request.agent === 'rehearsal:careful') return failing('agent.refused')
      say('Here you are.')
      return undefined
    })
    const settings = { rounds: 1, blindFirst: false }
    const runId = await office.send(await office.group(), 'Each of you?', { settings })
    await office.runEnds(runId)
    return { office, runId }
  },
}

/** Tells one story and gives back what `look` sees at its end. */
export const tellStory = async <Seen>(name: string, look: (told: Told) => Promise<Seen>): Promise<Seen> => {
  const story = runStories[name]
  if (!story) throw new Error(`there is no story ${name}`)
  const offices: TestOffice[] = []
  const opened = async (office: TestOffice) => {
    offices.push(office)
    await office.start()
    return office
  }
  try {
    const told = await story({
      open: (script, options) => opened(new TestOffice([new FakeAdapter(script, options)])),
      next: async (office, script) => {
        await office.quit()
        return opened(new TestOffice([new FakeAdapter(script)], office.folder))
      },
      afterACrash: (office, script) => opened(new TestOffice([new FakeAdapter(script)], copyOf(office.folder))),
    })
    await told.office.until(async () => told.office.stores.gates.unsettled().length === 0)
    return await look(told)
  } finally {
    for (const office of offices.toReversed()) {
      await office.quit()
      office.remove()
    }
  }
}

const everybody: readonly AgentId[] = ['rehearsal:bold', 'rehearsal:careful', 'rehearsal:sceptic']
const pair: { members: AgentId[] } = { members: ['rehearsal:bold', 'rehearsal:careful'] }
const unlimited = { settings: { rounds: null, blindFirst: false }, unlimitedConfirmed: true }
const rateLimited = { code: 'agent.rate-limited', message: 'It asks for patience.' } as const

const agrees: Script = ({ say, vote }) => {
  say('Agreed.')
  vote('agree', 'Go')
}

const goesOn: Script = ({ prompt, say, vote }) => {
  say(readPrompt(prompt).decision ? 'Goes on with what was granted.' : 'Starts anew.')
  vote('agree', 'Ship it')
}

const nobodySpeaks: Script = () => {
  throw new Error('nothing may be started')
}

const boldHangs: Script = async ({ request, say, vote, hang }) => {
  if (request.agent === 'rehearsal:bold') {
    say('Well, ')
    await hang()
  }
  say('Fine. ')
  vote('agree', 'Go')
}

const asksFirst: Script = async ({ ask, say, vote }) => {
  say('I would like to run the checks. ')
  const { effect, note } = await ask('run a command', 'npm test')
  say(effect === 'grant' ? 'They pass.' : `Not run: ${note ?? 'no reason given'}.`)
  vote('agree', 'Ship it')
}

const answer = async (office: TestOffice, optionId: string, note: string | null) => {
  const { gateId } = await office.gate()
  await office.handlers['gate.answer']({ gateId, optionId, note })
}

const copyOf = (source: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-story-'))
  cpSync(source, folder, { recursive: true })
  rmSync(join(folder, 'parley.lock'), { force: true })
  return folder
}
