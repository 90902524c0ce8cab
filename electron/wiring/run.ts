import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import type { AcceptTask, Preflight, WriteMinutes } from '../../machines/blanks.ts'
import type { AgentId } from '../../shared/agent.ts'
import type { Conversation } from '../../shared/conversation.ts'
import { AppError, toFailure } from '../../shared/errors.ts'
import type { RunRecord } from '../../shared/run.ts'
import type { Fence } from './fence.ts'

export interface RunWiring {
  fence: Fence
  conversation: (conversationId: string) => Conversation | null
  /** Resolves when the agent can be started; rejects with the reason. */
  mayStart: (agent: AgentId, signal: AbortSignal) => Promise<unknown>
  accept: (record: RunRecord) => void
}

/** Fills the run's blanks: the checks before it, the keeping of its task, and of its end. */
export const runEffects = ({ fence, conversation, mayStart, accept }: RunWiring) => ({
  preflight: fence.outside<{ type: 'none' }, Preflight>('run.lost', ({ input, say }) => {
    const abort = new AbortController()
    let checking = true
    check(input, conversation(input.conversationId), mayStart, abort.signal)
      .finally(() => {
        checking = false
      })
      .then(() => say({ type: 'preflight.passed' }))
      .catch((error: unknown) => say({ type: 'preflight.refused', failure: toFailure(error) }))
    return () => {
      if (checking) abort.abort()
    }
  }),

  acceptTask: fence.again<{ type: 'none' }, AcceptTask>(({ input, say }) => {
    try {
      accept(input.record)
      say({ type: 'task.accepted' })
    } catch (error) {
      say({ type: 'task.unrecorded', failure: toFailure(error) })
    }
  }),

  // the ledger is the minutes as yet: the end is written in one cut with what led to it
  writeMinutes: fence.again<{ type: 'none' }, WriteMinutes>(({ say }) => say({ type: 'minutes.written' })),
})

const check = async (
  { agents }: Preflight,
  conversation: Conversation | null,
  mayStart: RunWiring['mayStart'],
  signal: AbortSignal,
): Promise<void> => {
  if (!conversation) throw new AppError('conversation.unknown', 'This conversation is not known here.')
  const [found] = await Promise.all([
    Promise.allSettled(agents.map((agent) => mayStart(agent, signal))),
    checkWorkdir(conversation),
  ])
  const missing = found.filter((result) => result.status === 'rejected')
  // one that is missing keeps its seat and fails there; a table with nobody at it is refused
  if (missing.length === found.length) throw missing[0]?.reason
}

const checkWorkdir = async ({ workdir, allowWrite }: Conversation): Promise<void> => {
  const needed = allowWrite ? constants.R_OK | constants.W_OK : constants.R_OK
  const [found, mayUse] = await Promise.all([
    stat(workdir).catch(() => null),
    access(workdir, needed).then(() => true, () => false),
  ])
  if (!found?.isDirectory()) {
    throw new AppError('workdir.missing', 'The working directory is not there any more. Choose another one.')
  }
  if (mayUse) return
  throw new AppError(
    allowWrite ? 'workdir.unwritable' : 'workdir.missing',
    'The working directory cannot be used with these rights. Choose another one, or make it readable.',
  )
}
