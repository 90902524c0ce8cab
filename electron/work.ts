import { availableParallelism } from 'node:os'
import type { Agents } from './supervisors/agents.ts'
import type { AwakeClock } from './supervisors/awake-clock.ts'
import { Gates } from './supervisors/gates.ts'
import { liveOf, settleOrphans } from './supervisors/orphans.ts'
import { noticesIn } from './supervisors/notices.ts'
import { idOfActor, projectionOf } from './supervisors/project.ts'
import type { Providers } from './supervisors/providers.ts'
import { Recorder } from './supervisors/recorder.ts'
import { Runs } from './supervisors/runs.ts'
import { CutShow, showRun } from './supervisors/show.ts'
import { Slots } from './supervisors/slots.ts'
import { Tasks } from './supervisors/tasks.ts'
import { awaitsAnswer } from '../shared/attempt.ts'
import type { Asker } from '../shared/gate.ts'
import { toFailure, type Failure } from '../shared/errors.ts'
import { slotsMax, slotsMin } from '../shared/limits.ts'
import type { Notice } from '../shared/notice.ts'
import type { Around } from '../shared/steps.ts'
import { settled as hasSettled, type RunStatus } from '../shared/run.ts'
import type { Log } from './log.ts'
import type { HearPush, SettingsPort } from './shell.ts'
import type { Stores } from './stores/stores.ts'
import { launchPorts } from './turns/launch-ports.ts'
import { nameFromTopic } from './turns/names.ts'
import { fenceOf } from './wiring/fence.ts'
import { wiredMachines } from './wiring/machines.ts'

interface WorkOptions {
  stores: Stores
  agents: Agents
  providers: Providers
  awake: AwakeClock
  env: Readonly<Record<string, string | undefined>>
  settings: SettingsPort
  push: HearPush
  /** Tells somebody who does not look at the window. */
  notify: (notice: Notice) => void
  log: Log
  newId: (prefix: string) => string
  around: Around
  now: () => number
  /** Why the work before ended, where the application itself did not. */
  because: Failure | null
  /** A transition could not be written: nothing may go on. */
  ledgerFailed: (failure: Failure) => void
  /** A run has ended: what waits in its conversation may begin. */
  runSettled: (conversationId: string) => void
}

/** Everything that works on the ledger: the live roots, those who look after them, and what they need. */
export type Work = ReturnType<typeof buildWork>

const broken: Failure = { code: 'internal.unexpected', message: 'The run ended in an unexpected way.' }

/** After a stop or a crash the person says what comes next. */
const waitsForThePerson = (status: RunStatus | null) => status === 'stopped' || status === 'interrupted'

/** Agents mostly wait for their provider, so there may be more of them than cores. */
const slotsByCores = Math.min(slotsMax, Math.max(slotsMin, 2 * availableParallelism()))

/** Introduces machines, adapters and stores to each other. Nothing runs yet. */
export const buildWork = (options: WorkOptions) => {
  const { stores, agents, awake, push, log, newId, now } = options
  const fence = fenceOf(newId('boot'), now, options.because)
  const slots = new Slots(() => options.settings.read().slots ?? slotsByCores)
  const show = new CutShow(stores, push)
  const recorder = new Recorder({
    commit: ({ events, snapshots, moved }) =>
      stores.ledger.commitSoon({ events, snapshots, ...projectionOf(stores, moved) }),
    sync: () => stores.ledger.sync(),
    show: (cut) => {
      show.add(cut)
      for (const notice of noticesIn(cut.events)) options.notify(notice)
    },
    failed: options.ledgerFailed,
    idOf: idOfActor,
    lastSeq: (rootId) => stores.ledger.lastSeq(rootId),
    now,
  })
  const durable = () => recorder.durable()
  const askerWaits = ({ kind, id, runId }: Asker, gateId: string) => {
    if (kind === 'attempt') {
      const attempt = stores.attempts.get(id)
      return attempt !== null && attempt.gateId === gateId && awaitsAnswer(attempt.status)
    }
    const run = stores.runs.get(runId)
    return run !== null && !hasSettled(run.status)
  }

  const machines = wiredMachines({
    fence,
    awake,
    slots,
    stores,
    durable,
    askerWaits,
    gates: () => gates,
    lastOutputAt: (attemptId) => stores.attempts.lastOutputAt(attemptId),
    launches: launchPorts({
      ...options,
      durable,
      written: () => recorder.written(),
      openGate: (ask) => gates.open(ask),
      withdrawGate: (id) => gates.withdraw(id),
    }),
    directoryOf: (conversationId) => stores.conversations.get(conversationId)?.workdir ?? '',
    conversation: (conversationId) => stores.conversations.get(conversationId),
    mayStart: (agent, signal) => agents.programOf(agent, signal),
    accept: (run) => {
      const message = {
        messageId: run.messageId,
        conversationId: run.conversationId,
        text: run.topic,
        at: run.startedAt,
      }
      const queuedId = tasks.queuedIdOf(run.runId)
      try {
        const imageIds = tasks.imageIdsOf(run.runId)
        stores.accept({
          message,
          run,
          imageIds,
          ...(queuedId ? { queuedId } : { clearsDraft: run.followUpOf === null }),
        })
        nameAfter(run.conversationId, run.topic)
      } catch (error) {
        // whoever sent it is told first
        queueMicrotask(() => options.ledgerFailed(toFailure(error)))
        throw error
      }
    },
  })

  const gates: Gates = new Gates({
    recorder,
    machine: machines.gate,
    stored: (gateId) => stores.gates.get(gateId),
    askerWaits,
    around: options.around,
    now,
  })
  const runs = new Runs({
    recorder,
    machine: machines.run,
    stored: (runId) => stores.runs.get(runId),
    settled: (conversationId) => {
      gates.review()
      options.runSettled(conversationId)
    },
    broke: (runId, error) => {
      log.error('run.broke', { runId, code: toFailure(error).code })
      // what was on its way to the ledger comes before its end
      recorder
        .written()
        .then(() => settleBroken(runId))
        .catch((late: unknown) => log.error(toFailure(late).code, { runId }))
    },
    now,
  })
  const tasks = new Tasks({
    start: (input) => runs.start(input),
    mayContinue: (agent) => agents.adapterOf(agent).mayContinue,
    requireHeld: (seated, allowWrite) => agents.requireHeld(seated, allowWrite),
    imagesMax: (agent) => agents.adapterOf(agent).abilities.imagesMax,
    imagesOf: (messageId) => stores.images.ofMessage(messageId),
    verifyImages: (images) => void stores.images.sound(images.map(({ imageId }) => imageId)),
    settings: () => options.settings.read(),
    newId,
    now,
  })
  const stopHearing = awake.onWake((sleptMs, at) => runs.wake(sleptMs, at))

  /** A run that its chart cannot end is ended all the same: nothing goes on without an owner. */
  const settleBroken = (runId: string) => {
    const run = stores.runs.get(runId)
    if (!run || hasSettled(run.status)) return
    settleOrphans(stores, liveOf(stores, run), () => broken, now())
    showRun(stores, push, runId, [])
    gates.review()
    options.runSettled(run.conversationId)
  }

  const nameAfter = (conversationId: string, topic: string) => {
    const conversation = stores.conversations.get(conversationId)
    const name = conversation && nameFromTopic(conversation, topic)
    if (name) stores.conversations.rename(conversationId, name, now())
  }

  return {
    because: options.because,
    stores,
    runs,
    gates,
    tasks,
    slots,
    recorder,

    /** Starts what waits in a conversation; what is refused stays in the queue with the reason. `false`: no change. */
    beginNext: async (conversationId: string): Promise<boolean> => {
      const next = stores.queue.next(conversationId)
      const conversation = stores.conversations.get(conversationId)
      const row = stores.list.row(conversationId)
      if (!next || !conversation || row?.activeRunId || waitsForThePerson(row?.status ?? null)) return false
      try {
        await tasks.send({ ...next, conversation, unlimitedConfirmed: true }, next)
        return true
      } catch (error) {
        const failure = toFailure(error)
        log.warn(failure.code, { conversationId, queuedId: next.queuedId })
        stores.queue.refuse(conversationId, next.queuedId, failure)
        return true
      }
    },

    /** The conversations whose run does not merely wait for a person. */
    underWay: () =>
      runs.liveIds
        .filter((runId) => !runs.isResting(runId))
        .flatMap((runId) => stores.list.row(stores.runs.get(runId)?.conversationId ?? '') ?? []),

    /** Lets every root rest as it is stored; their processes lose their owner and must be ended. */
    rest: () => {
      stopHearing()
      recorder.rest()
      runs.rest()
      gates.rest()
      show.flush()
    },
  }
}
