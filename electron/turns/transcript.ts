import { nameOfAgent } from '../../shared/agent.ts'
import type { AttemptRecord } from '../../shared/attempt.ts'
import { Capsule } from '../../shared/capsule.ts'
import type { Conversation } from '../../shared/conversation.ts'
import { runsPageMax } from '../../shared/limits.ts'
import type { RunRecord } from '../../shared/run.ts'
import type { TranscriptTurn } from '../../shared/shared-context.ts'
import type { Stores } from '../stores/stores.ts'

/** What was said in the conversation before a run, oldest first, for a session that does not know it. */
export const earlierTurns = (stores: Stores, run: RunRecord, conversation: Conversation): TranscriptTurn[] => {
  const ownChain = new Set(chainOf(stores, run).map(({ runId }) => runId))
  return stores.runs
    .ofConversation(conversation.conversationId, null, runsPageMax)
    .runs.filter((other) => !ownChain.has(other.runId) && other.startedAt <= run.startedAt)
    .toReversed()
    .flatMap((other) => turnsOf(stores, other))
}

/** The capsules of the runs that this one follows, oldest first. */
export const earlierCapsules = (stores: Stores, run: RunRecord): Capsule[] =>
  chainOf(stores, run)
    .slice(1)
    .toReversed()
    .flatMap(({ runId }) => capsulesOf(stores, runId))

/** The run's capsules, oldest first; one that cannot be read is left out. */
export const capsulesOf = (stores: Pick<Stores, 'attempts'>, runId: string): Capsule[] =>
  stores.attempts.capsules(runId).flatMap(({ capsule }) => {
    const read = Capsule.safeParse(JSON.parse(capsule))
    return read.success ? [read.data] : []
  })

/** A run and those it follows, newest first. */
const chainOf = (stores: Stores, run: RunRecord): RunRecord[] => {
  const chain = [run]
  for (let next = run.followUpOf; next && chain.length < runsPageMax;) {
    const earlier = stores.runs.get(next)
    if (!earlier) break
    chain.push(earlier)
    next = earlier.followUpOf
  }
  return chain
}

const turnsOf = (stores: Stores, run: RunRecord): TranscriptTurn[] => {
  const attempts = stores.attempts.ofRun(run.runId)
  const lastRound = Math.max(0, ...attempts.map(({ round }) => round))
  const spoken = attempts
    .filter((attempt) => attempt.round === lastRound && quotable.has(attempt.status))
    .map((attempt) => turnOf(stores, attempt))
    .filter(({ text }) => text.trim() !== '')
  return [...(run.followUpOf ? [] : [{ speaker: 'person' as const, text: askedIn(stores, run) }]), ...spoken]
}

/** Images of an earlier message are named only: a session that has not seen them knows that there were some. */
const askedIn = (stores: Stores, { topic, messageId }: RunRecord): string => {
  const names = stores.images.ofMessage(messageId).map(({ name }) => name)
  return names.length === 0 ? topic : `${topic}\n\n(With images that are not shown again: ${names.join(', ')})`
}

/** What failed is no answer: error prose is never quoted to anybody. */
const quotable = new Set<AttemptRecord['status']>(['completed', 'partial'])

const turnOf = (stores: Stores, { seat, agent, attemptId }: AttemptRecord): TranscriptTurn => ({
  speaker: { seat, name: nameOfAgent(agent).name },
  text: stores.attempts.text(attemptId),
})
