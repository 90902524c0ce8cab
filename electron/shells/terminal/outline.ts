import type { OutputItem } from '../../../shared/agent-event.ts'
import { attemptSettled } from '../../../shared/attempt.ts'
import type { GateRecord } from '../../../shared/gate.ts'
import type { Push } from '../../../shared/ipc.ts'
import type { LedgerEvent } from '../../../shared/ledger.ts'
import type { RunRecord } from '../../../shared/run.ts'
import { settled } from '../../../shared/run.ts'
import type { OutlineLine } from './paint.ts'
import { TextLines } from './text-lines.ts'
import {
  endInWords, harmless, inWords, leafOf, markOf, nameOfAgent, oneLine, optionInWords, pathOf, toneOf, voteInWords,
  type Tone,
} from './words.ts'

const runDepth = 0
const roundDepth = 1
const attemptDepth = 2
const saidDepth = 3

/** Turns what one run pushes into lines, each state where it stands in its chart: run, round, attempt, words. */
export class Outline {
  readonly #turns = new Map<string, Push<'run.changed'>['turns'][number]>()
  readonly #shown = new Map<string, string>()
  readonly #said = new Map<string, TextLines>()
  readonly #noted = new Set<string>()
  readonly #gates = new Map<string, GateRecord['status']>()
  #startedAt: number | null = null

  runChanged({ run, turns, events }: Push<'run.changed'>): OutlineLine[] {
    this.#startedAt ??= run.startedAt
    for (const turn of turns) this.#turns.set(turn.attemptId, turn)
    return events.flatMap((event) => this.#eventLines(event, run))
  }

  outputAdded({ rows }: Pick<Push<'output.added'>, 'rows'>): OutlineLine[] {
    return rows.flatMap(({ attemptId, at, item }) => this.#saidLines(at, this.#itemLines(attemptId, item)))
  }

  gateChanged(gate: GateRecord): OutlineLine[] {
    if (this.#gates.get(gate.gateId) === gate.status) return []
    this.#gates.set(gate.gateId, gate.status)
    if (gate.status === 'waiting') return this.#saidLines(gate.askedAt, questionLines(gate), 'asks')
    return this.#saidLines(gate.settledAt ?? gate.decision?.at ?? null, gateNews(gate), 'asks')
  }

  #eventLines(event: LedgerEvent, run: RunRecord): OutlineLine[] {
    const path = pathOf(event.value)
    const before = this.#shown.get(event.actor)
    if (event.machine === 'gate' || event.machine === 'lifecycle' || path === before) return []
    this.#shown.set(event.actor, path)
    if (event.machine === 'run') return this.#runLines(event, run)
    if (event.machine === 'attempt') return this.#attemptLines(event)
    return [this.#stateLine(event, roundDepth, `round ${event.actor.split('/').at(-1)}`, path)]
  }

  #runLines(event: LedgerEvent, run: RunRecord): OutlineLine[] {
    const line = this.#stateLine(event, runDepth, 'run', pathOf(event.value))
    if (!settled(run.status) || leafOf(event.value) !== run.status) return [line]
    const why = run.reason ? [this.#line(event.at, roundDepth, oneLine(run.reason.message), 'bad')] : []
    return [line, ...why, this.#line(event.at, roundDepth, endInWords(run.status), 'plain')]
  }

  #attemptLines(event: LedgerEvent): OutlineLine[] {
    const turn = this.#turns.get(event.actor)
    const leaf = leafOf(event.value)
    const line = this.#stateLine(event, attemptDepth, turn ? nameOfAgent(turn.agent) : 'attempt', inWords(leaf))
    if (!turn || !attemptSettled(turn.status) || leaf !== turn.status) return [line]
    const said = this.#saidBy(event.actor)
    const rest = turn.text === null ? said.flush() : said.end(turn.text)
    const vote = voteInWords(turn)
    return [
      ...this.#saidLines(event.at, rest.map((text) => `│ ${text}`)),
      vote === '' ? line : { ...line, text: `${line.text} · ${vote}` },
      ...(turn.failure ? [this.#line(event.at, saidDepth, oneLine(turn.failure.message), 'bad')] : []),
    ]
  }

  #stateLine(event: LedgerEvent, depth: number, who: string, state: string): OutlineLine {
    const leaf = leafOf(event.value)
    const cause = event.type.startsWith('xstate.') ? '' : `  ← ${event.type}`
    return this.#line(event.at, depth, `${markOf(leaf)} ${who}: ${state}${cause}`, toneOf(leaf))
  }

  #itemLines(attemptId: string, item: OutputItem): string[] {
    if (item.type === 'text') return this.#saidBy(attemptId).add(item.delta).map((text) => `│ ${text}`)
    if (item.type === 'textReplaced') return this.#saidBy(attemptId).replace(item.text).map((text) => `│ ${text}`)
    const news = noteLines(item).filter((text) => !this.#isNoted(attemptId, item, text))
    // a plan may move on in the middle of a sentence, anything else ends the line
    const before = item.type === 'plan' || news.length === 0 ? [] : this.#saidBy(attemptId).flush()
    return [...before.map((text) => `│ ${text}`), ...news]
  }

  /** Plans and tools come whole each time: only what is new of them has a line. */
  #isNoted(attemptId: string, item: OutputItem, text: string): boolean {
    if (item.type !== 'plan' && item.type !== 'tool') return false
    const key = `${attemptId} ${item.type === 'tool' ? item.tool.toolId : ''} ${text}`
    return this.#noted.size === this.#noted.add(key).size
  }

  #saidBy(attemptId: string): TextLines {
    const known = this.#said.get(attemptId)
    if (known) return known
    const fresh = new TextLines()
    this.#said.set(attemptId, fresh)
    return fresh
  }

  #saidLines(at: number | null, texts: readonly string[], tone: Tone = 'plain'): OutlineLine[] {
    return texts.map((text) => this.#line(at, saidDepth, text, tone))
  }

  #line(at: number | null, depth: number, text: string, tone: Tone = 'plain'): OutlineLine {
    return { sinceMs: at === null || this.#startedAt === null ? null : at - this.#startedAt, depth, tone, text }
  }
}

/** The question of a gate, with its numbered answers. */
export const questionLines = ({ asker, title, detail, reason, options }: GateRecord): string[] => [
  `? ${asker.agent ? nameOfAgent(asker.agent) : 'The run'} asks: ${oneLine(title)}`,
  ...harmless(detail).split('\n').filter((line) => line.trim() !== '').map((line) => `    ${line}`),
  ...(reason ? [`    because: ${oneLine(reason)}`] : []),
  `  ${options.map((option, index) => `${index + 1} ${optionInWords(option)}`).join('   ')}`,
]

const gateNews = ({ status, decision, endReason }: GateRecord): string[] => {
  if (status === 'answered' && decision) return [`? answered: ${optionInWords(decision)}`]
  if (status === 'expired' || status === 'withdrawn') return [`? no longer asked: ${inWords(endReason ?? status)}`]
  return []
}

const noteLines = (item: OutputItem): string[] => {
  switch (item.type) {
    case 'tool':
      return [`+ ${item.tool.kind}: ${oneLine(item.tool.title)} (${item.tool.status})`]
    case 'plan':
      return item.entries.map(({ title, status }) => `${planMarks[status]} ${oneLine(title)}`)
    case 'retrying':
      return [`↻ ${oneLine(item.failure.message)} Its own try ${item.attempt}.`]
    case 'warning':
      return [`! ${oneLine(item.text)}`]
    case 'omitted':
      return [`! left out: ${oneLine(item.what)}, ${item.bytes} bytes`]
    case 'text':
    case 'textReplaced':
    case 'reasoning':
    case 'usage':
      return []
  }
}

const planMarks = { pending: '[ ]', inProgress: '[-]', done: '[x]' } as const
