import type { Push, PushName } from '../shared/ipc.ts'

/** A push that waits for the window and has no number yet. */
export type Unsent = {
  [N in PushName]: {
    topic: N
    at: number
    body: Push<N>
    /** How much memory it holds, in characters. */
    weight: number
  }
}[PushName]

/**
 * The same news in fewer pushes: one for each thing that changed. What is pushed whole stays as it was last; a patch
 * says all that the patches before it said. Output comes after what tells of its attempt.
 */
export const coalesced = (waiting: readonly Unsent[]): Unsent[] => {
  const groups = new Map<string, Unsent[]>()
  for (const push of waiting) {
    const subject = subjectOf(push)
    const before = groups.get(subject) ?? []
    if (push.topic === 'output.added') groups.delete(subject)
    groups.set(subject, [...before, push])
  }
  return [...groups.values()].flatMap(asOne)
}

const subjectOf = ({ topic, body }: Unsent): string => {
  if (topic === 'run.changed') return `${topic} ${body.run.runId}`
  if (topic === 'output.added') return `${topic} ${body.runId}`
  if (topic === 'queue.changed') return `${topic} ${body.conversationId}`
  return topic
}

const asOne = (group: readonly Unsent[]): Unsent[] => {
  const last = group.at(-1)
  if (!last || group.length === 1) return [...group]
  const join: ((bodies: readonly never[]) => unknown) | undefined = patches[last.topic]
  if (!join) return [last]
  const body = join(group.map((push) => push.body as never))
  // every push of a group is of one topic, and a patch joins with patches to one of its own kind
  return [{ ...last, body, weight: group.reduce((sum, { weight }) => sum + weight, 0) } as Unsent]
}

/** How those are joined that do not say everything anew. */
const patches: { [N in PushName]?: (bodies: readonly Push<N>[]) => Push<N> } = {
  'output.added': (bodies) => ({ runId: newest(bodies).runId, rows: bodies.flatMap(({ rows }) => rows) }),
  'run.changed': (bodies) => ({
    run: newest(bodies).run,
    seq: newest(bodies).seq,
    actors: latest(bodies.flatMap(({ actors }) => actors), ({ machine, actor }) => `${machine} ${actor}`),
    turns: latestTurns(bodies.flatMap(({ turns }) => turns)),
    events: bodies.flatMap(({ events }) => events),
  }),
  'gates.changed': (bodies) => ({ gates: latest(bodies.flatMap(({ gates }) => gates), ({ gateId }) => gateId) }),
  'conversations.changed': (bodies) => {
    const removed = [...new Set(bodies.flatMap((body) => body.removed))]
    const rows = latest(bodies.flatMap((body) => body.rows), ({ conversationId }) => conversationId)
    return { rows: rows.filter(({ conversationId }) => !removed.includes(conversationId)), removed }
  },
}

/** One without a text leaves the text as it was said before, and up to where it was said. */
const latestTurns = (turns: Push<'run.changed'>['turns']) => {
  const said = new Map(turns.filter(({ text }) => text !== null).map((turn) => [turn.attemptId, turn]))
  return latest(turns, ({ attemptId }) => attemptId).map((turn) => {
    const { text, outputSeq } = said.get(turn.attemptId) ?? turn
    return { ...turn, text, outputSeq }
  })
}

const latest = <Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] =>
  [...new Map(items.map((item) => [keyOf(item), item])).values()]

const newest = <Body>(bodies: readonly Body[]): Body => {
  const body = bodies.at(-1)
  if (body === undefined) throw new Error('Nothing is joined to nothing.')
  return body
}
