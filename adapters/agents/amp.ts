import { AppError } from '../../shared/errors.ts'
import { childEnvironment } from '../environment.ts'
import type { AgentAdapter } from '../ports.ts'
import { readVersion } from '../programs/versions.ts'
import type { AdapterSurroundings } from './codex.ts'
import { detectAgent, type AgentFacts } from './detect.ts'

/** Amp is found and not spoken with: every turn of it goes through the server of its makers. */
export const ampAdapter = ({ env, shell }: Pick<AdapterSurroundings, 'env' | 'shell'>): AgentAdapter => ({
  kind: 'amp',
  agents: ['amp'],
  transport: 'none',
  abilities: { readOnly: 'none', write: false, asks: false, resume: false, imagesMax: 0, usage: false },
  mayContinue: false,
  detect: (signal) => detectAgent(ampFacts, env, signal, { shell }),
  async open() {
    throw new AppError('agent.not-spoken-with', `${whyNot} Talk to it in its own terminal, or choose another agent.`)
  },
})

const whyNot = 'Amp answers only through its own server, so Parley finds it and does not speak with it.'

const ampFacts: AgentFacts = {
  wanted: {
    name: 'amp',
    override: 'PARLEY_AMP',
    places: ['~/.amp/bin/amp'],
    /** `0.0.1790142911-g7618fb (released 2026-09-23T05:55:11.000Z, 2mo ago)` */
    readVersion: (stdout) => readVersion(stdout, /^\d+\.\d+\.\d+\S* \(released /)?.split('-')[0] ?? null,
  },
  product: 'Amp',
  oldest: [0],
  packages: ['@sourcegraph/amp', '@ampcode/cli'],
  install: 'npm install -g @sourcegraph/amp',
  login: 'amp login',
  notSpokenWith: whyNot,
  environment: (env) => childEnvironment(env, { names: [] }),
  evidenceOfLogin: async () => null,
}
