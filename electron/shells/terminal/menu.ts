import { toFailure } from '../../../shared/errors.ts'
import type { GateRecord } from '../../../shared/gate.ts'
import { settled } from '../../../shared/run.ts'
import type { ConversationRow } from '../../../shared/view.ts'
import { attend, holdDiscussion, type Discussion, type DiscussionEnd, type Table } from './discussion.ts'
import { pastLines } from './past.ts'
import { outcomeLines } from './outcome.ts'
import { questionLines } from './outline.ts'
import { askForOption } from './questions.ts'
import { suggestedTopics } from './topics.ts'
import { endInWords, markOf, oneLine } from './words.ts'

/** Lets a person pick what to do, again and again; ends when they leave or the system ends us. */
export const openMenu = async (table: Table, usual: Omit<Discussion, 'topic'>): Promise<'left' | 'interrupted'> => {
  const end = await answerOldGates(table)
  if (end?.interrupted === 'system') return 'interrupted'
  for (;;) {
    const chosen = await choose(table)
    if (chosen === null) return 'left'
    const after = await follow(table, chosen, usual)
    if (after?.interrupted === 'system' || !table.composition.mayServe()) return 'interrupted'
  }
}

type Choice = { kind: 'topic'; topic: string } | { kind: 'past'; row: ConversationRow }

async function choose(table: Table): Promise<Choice | null> {
  const { handlers } = table.composition
  const { rows } = await handlers['conversation.list']({ after: null, limit: pastShownMax, query: '' })
  showMenu(table, rows)
  const typed = await ask(table, '> ')
  if (typed === null || typed === 'q') return null
  const row = /^\d{1,2}$/.test(typed) ? rows[Number(typed) - 1] : undefined
  if (row) return { kind: 'past', row }
  const suggested = /^[a-c]$/.test(typed) ? suggestedTopics[typed.charCodeAt(0) - firstLetter] : undefined
  // one character is a slip, not a topic
  return typed.length > 1 || suggested ? { kind: 'topic', topic: suggested ?? typed } : choose(table)
}

const pastShownMax = 9
const firstLetter = 'a'.charCodeAt(0)
const letterOf = (index: number) => String.fromCharCode(firstLetter + index)

function showMenu({ screen }: Table, rows: readonly ConversationRow[]) {
  screen.say('')
  if (rows.length > 0) screen.say('What happened before:')
  for (const [index, row] of rows.entries()) screen.say(`  ${index + 1}  ${rowInWords(row)}`)
  screen.say('Topics to pick:')
  for (const [index, topic] of suggestedTopics.entries()) screen.say(`  ${letterOf(index)}  ${topic}`)
  const looking = rows.length > 0 ? 'look at what happened by its number, ' : ''
  screen.say(`Type a topic, pick one by its letter, ${looking}or q to leave.`)
}

const rowInWords = ({ name, status, gatesWaiting }: ConversationRow): string => {
  const waiting = gatesWaiting > 0 ? ` ${gatesWaiting} open question${gatesWaiting > 1 ? 's' : ''}.` : ''
  return status === null ? oneLine(name) : `${markOf(status)} ${oneLine(name)} · ${endInWords(status)}${waiting}`
}

async function follow(table: Table, chosen: Choice, usual: Omit<Discussion, 'topic'>): Promise<DiscussionEnd | null> {
  try {
    const end = chosen.kind === 'past'
      ? await lookAt(table, chosen.row)
      : await holdDiscussion(table, { ...usual, topic: chosen.topic })
    if (end?.soFar) for (const line of outcomeLines(end.soFar)) table.screen.say(line)
    return end
  } catch (error) {
    table.screen.say(`! ${toFailure(error).message}`)
    return null
  }
}

async function lookAt(table: Table, { conversationId }: ConversationRow): Promise<DiscussionEnd | null> {
  const { handlers } = table.composition
  const { runs } = await handlers['conversation.open']({ conversationId, before: null })
  const newest = runs.at(-1)
  for (const line of runs.flatMap(pastLines)) table.screen.say(line)
  if (!newest || !settled(newest.run.status) || newest.run.status === 'agreed') return null
  const typed = await ask(table, 'r tries again from here, Enter goes back: ')
  if (typed !== 'r') return null
  return attend(table, async () => {
    const { runId } = await handlers['run.followUp']({ runId: newest.run.runId, seats: null, replace: {} })
    return runId
  })
}

/** Questions that an earlier start left open can still be answered; the run then goes on by itself. */
async function answerOldGates(table: Table): Promise<DiscussionEnd | null> {
  const { gates } = await table.composition.handlers['gate.list']({})
  if (gates.length === 0) return null
  table.screen.say('Left open when Parley ended:')
  let end: DiscussionEnd | null = null
  for (const gate of gates) end = await answerOldGate(table, gate)
  return end
}

const answerOldGate = (table: Table, gate: GateRecord): Promise<DiscussionEnd | null> => {
  for (const line of questionLines(gate)) table.screen.say(line)
  return attend(table, async () => {
    const answer = await whileAsking(table, (signal) => askForOption(table.screen, gate, signal))
    if (!answer) return null
    const { handlers } = table.composition
    await handlers['gate.answer']({ gateId: gate.gateId, optionId: answer.option.optionId, note: answer.note })
    return gate.asker.runId
  })
}

const ask = async (table: Table, question: string): Promise<string | null> => {
  const typed = await whileAsking(table, (signal) => table.screen.ask(question, signal))
  return typed === null ? null : typed.trim()
}

/** Between discussions Ctrl+C takes the question back. */
async function whileAsking<Answer>(table: Table, question: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
  const controller = new AbortController()
  const release = table.interrupts.take(() => controller.abort())
  try {
    return await question(controller.signal)
  } finally {
    release()
  }
}
