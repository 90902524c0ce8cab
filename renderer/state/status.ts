import type { AgentCard, Conformance, Readiness, ReadinessStage } from '../../shared/agent.ts'
import type { AttemptStatus } from '../../shared/attempt.ts'
import type { InstallState } from '../../shared/install.ts'
import type { RunStatus } from '../../shared/run.ts'
import type { ConversationRow, TurnView } from '../../shared/view.ts'
import type { StateIcon } from '../components/icons.tsx'
import { text } from '../text/text.ts'

type Tone = 'working' | 'needs' | 'done' | 'failed' | 'stopped' | 'interrupted' | 'idle'

/** How a state looks everywhere in the window: its hue, its shape, its word. */
export interface Look {
  tone: Tone
  icon: StateIcon
  word: string
}

/** A turn as its agent's line shows it. */
export const turnLook = (turn: Pick<TurnView, 'status'>): Look => ({
  ...attemptLooks[turn.status],
  word: text.attempt[turn.status],
})

/** A turn as the board shows it: what it voted, once it is done. */
export function voteLook(turn: Pick<TurnView, 'status' | 'vote'>, votes: boolean): Look {
  if (turn.status !== 'completed' || !votes) return turnLook(turn)
  if (!turn.vote) return { tone: 'idle', icon: 'noVote', word: text.attemptScreen.noVote }
  return turn.vote.choice === 'agree'
    ? { tone: 'done', icon: 'agreed', word: text.transcript.agrees.toLocaleLowerCase() }
    : { tone: 'idle', icon: 'continues', word: text.transcript.continues.toLocaleLowerCase() }
}

export const attemptLook = (status: AttemptStatus): Look => ({ ...attemptLooks[status], word: text.attempt[status] })

export const runLook = (status: RunStatus): Look => ({ ...runLooks[status], word: text.run[status] })

/** A row of the sidebar: what waits for the person comes first. */
export function rowLook(row: ConversationRow): Look {
  if (row.gatesWaiting > 0) return { tone: 'needs', icon: 'needs', word: text.sidebar.needsYou }
  return row.status === null ? { tone: 'idle', icon: 'idle', word: '' } : runLook(row.status)
}

export const readinessLook = (readiness: Readiness): Look => ({
  ...readinessLooks[readiness],
  word: text.readiness[readiness],
})

/** Whether an agent is known to be able to answer. */
export const isReady = ({ readiness }: Pick<AgentCard, 'readiness'>): boolean =>
  readiness === 'ready' || readiness === 'recentlyVerified'

/** A stage on the way to being ready. */
export const stageLook = ({ stage, outcome }: ReadinessStage): Look => ({
  ...stageLooks[outcome],
  word: text.agents.stage[stage],
})

/** Where an installation is, or how it ended. */
export const installLook = (state: InstallState): Look => ({ ...installLooks[state], word: text.install.states[state] })

/** What came of one thing that was tried. */
export const verdictLook = (verdict: Conformance['cases'][number]['verdict']): Look => ({
  ...verdictLooks[verdict],
  word: text.agents.verdict[verdict],
})

type Shape = Omit<Look, 'word'>

const stageLooks: Record<ReadinessStage['outcome'], Shape> = {
  yes: { tone: 'done', icon: 'done' },
  no: { tone: 'failed', icon: 'failed' },
  unknown: { tone: 'idle', icon: 'idle' },
}

const verdictLooks: Record<Conformance['cases'][number]['verdict'], Shape> = {
  passed: { tone: 'done', icon: 'done' },
  failed: { tone: 'failed', icon: 'failed' },
  notOffered: { tone: 'idle', icon: 'noVote' },
  notTried: { tone: 'idle', icon: 'idle' },
}

const attemptLooks: Record<AttemptStatus, Shape> = {
  queued: { tone: 'idle', icon: 'queued' },
  launching: { tone: 'working', icon: 'working' },
  streaming: { tone: 'working', icon: 'working' },
  awaitingGate: { tone: 'needs', icon: 'needs' },
  resuming: { tone: 'working', icon: 'working' },
  ending: { tone: 'stopped', icon: 'stopping' },
  overdue: { tone: 'failed', icon: 'stopping' },
  settling: { tone: 'working', icon: 'working' },
  backingOff: { tone: 'idle', icon: 'backingOff' },
  parked: { tone: 'needs', icon: 'needs' },
  completed: { tone: 'done', icon: 'done' },
  partial: { tone: 'failed', icon: 'partial' },
  failed: { tone: 'failed', icon: 'failed' },
  timedOut: { tone: 'failed', icon: 'timedOut' },
  stopped: { tone: 'stopped', icon: 'stopped' },
  interrupted: { tone: 'interrupted', icon: 'interrupted' },
  skipped: { tone: 'idle', icon: 'skipped' },
}

const runLooks: Record<RunStatus, Shape> = {
  running: { tone: 'working', icon: 'working' },
  holding: { tone: 'stopped', icon: 'onHold' },
  stopping: { tone: 'stopped', icon: 'stopping' },
  agreed: { tone: 'done', icon: 'agreed' },
  completed: { tone: 'done', icon: 'done' },
  partial: { tone: 'failed', icon: 'partial' },
  roundsUp: { tone: 'idle', icon: 'continues' },
  failed: { tone: 'failed', icon: 'failed' },
  budgetSpent: { tone: 'stopped', icon: 'noVote' },
  stopped: { tone: 'stopped', icon: 'stopped' },
  interrupted: { tone: 'interrupted', icon: 'interrupted' },
}

const installing: Shape = { tone: 'working', icon: 'working' }
const installLooks: Record<InstallState, Shape> = {
  checking: installing,
  verifying: installing,
  fetching: installing,
  installing,
  confirming: installing,
  clearing: { tone: 'stopped', icon: 'stopping' },
  installed: { tone: 'done', icon: 'done' },
  failed: { tone: 'failed', icon: 'failed' },
  cancelled: { tone: 'stopped', icon: 'stopped' },
  interrupted: { tone: 'interrupted', icon: 'interrupted' },
}

const readinessLooks: Record<Readiness, Shape> = {
  checking: { tone: 'working', icon: 'working' },
  notInstalled: { tone: 'idle', icon: 'idle' },
  installed: { tone: 'stopped', icon: 'done' },
  incompatible: { tone: 'failed', icon: 'failed' },
  needsLogin: { tone: 'stopped', icon: 'key' },
  ready: { tone: 'done', icon: 'done' },
  recentlyVerified: { tone: 'done', icon: 'done' },
}
