import type { GateAsk } from '../../shared/gate.ts'
import { randomUUID } from 'node:crypto'
import type { Failure } from '../../shared/errors.ts'
import { toFailure } from '../../shared/errors.ts'
import type { Log } from '../log.ts'
import type { HearPush } from '../shell.ts'
import type { Stores } from '../stores/stores.ts'
import type { Agents } from '../supervisors/agents.ts'
import type { Providers } from '../supervisors/providers.ts'
import { composeTurn } from './compose-turn.ts'
import { keepTurn } from './keep-turn.ts'
import type { LaunchPorts } from './launch.ts'
import { TurnRecorder } from './turn-recorder.ts'

interface LaunchPortsOptions {
  stores: Stores
  agents: Agents
  providers: Providers
  env: Readonly<Record<string, string | undefined>>
  push: HearPush
  log: Log
  written: () => Promise<void>
  durable: () => Promise<void>
  openGate: (ask: GateAsk) => void
  withdrawGate: (gateId: string) => void
  ledgerFailed: (failure: Failure) => void
  now: () => number
}

/** What a launch needs of the stores, the agents and the window. */
export const launchPorts = (options: LaunchPortsOptions): LaunchPorts => {
  const { stores, agents, now } = options
  const secret = installationSecret(stores)
  return {
    written: options.written,
    durable: options.durable,
    openGate: options.openGate,
    withdrawGate: options.withdrawGate,
    now,

    compose: (run) => {
      const turn = composeTurn(
        {
          stores,
          secret,
          now,
          mayContinue: ({ agent }) => agents.adapterOf(agent).mayContinue,
          mayResume: ({ agent }, session) => agents.adapterOf(agent).mayResume?.(session, now()) ?? true,
          version: ({ agent }) => agents.versionOf(agent),
          imagesMax: ({ agent }) => agents.adapterOf(agent).abilities.imagesMax,
          token: randomUUID,
        },
        run,
      )
      stores.deliveries.add({ record: turn.delivery, prompt: turn.prompt })
      return turn
    },

    open: async (run, request, signal) => {
      const provider = options.providers.accessFor(agents.adapterOf(run.agent).kind)
      return agents.open({ ...request, env: options.env, provider }, signal)
    },

    keepSession: (run, { scope }, session) => {
      if (!agents.adapterOf(run.agent).mayContinue) return
      const { id: nativeId } = session.native
      const known = stores.sessions.get(scope)
      const imagesOf = known?.nativeId === nativeId ? known.imagesOf : undefined
      stores.sessions.keep(scope, { nativeId, adapterVersion: session.version, at: now(), imagesOf })
    },

    noteImages: (run, { scope, images }, outcome) => {
      const session = images.length > 0 ? stores.sessions.get(scope) : null
      if (!session) return
      const imagesOf = stores.runs.get(run.runId)?.messageId
      if (outcome === 'taken') stores.sessions.keep(scope, { ...session, imagesOf })
      // what choked on an image would choke on it at each later turn; a new session begins from our own transcript
      else stores.sessions.drop(scope)
    },

    record: (run, turn) =>
      new TurnRecorder({
        attemptId: run.attemptId,
        try: run.try,
        nonce: turn.nonce,
        lastSeq: stores.outputs.lastSeq(run.attemptId),
        keep: (rows) => stores.outputs.append(rows),
        show: (rows) => options.push('output.added', { runId: run.runId, rows }),
        failed: (error) => options.ledgerFailed(toFailure(error)),
        now,
      }),

    noteFailure: (run, failure) => {
      agents.learn(run.agent, failure, now())
      if (failure.code.startsWith('ledger.')) options.ledgerFailed(failure)
    },

    keepTurn: (run, turn) => {
      keepTurn(stores, run, turn, stores.runs.get(run.runId)?.policy.consensus ?? false)
      agents.learn(run.agent, null, now())
    },
  }
}

/** Made once for each data folder: code words of votes are derived from it. */
const installationSecret = (stores: Stores): string => {
  const known = stores.meta.get('secret')
  if (known) return known
  const secret = randomUUID()
  stores.meta.set('secret', secret)
  return secret
}
