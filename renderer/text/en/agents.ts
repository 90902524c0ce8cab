import type { AgentAbilities, Conformance, ReadinessStage, Transport } from '../../../shared/agent.ts'
import { count } from './counting.ts'

/** The words of the agents' screen. */
export const agents = {
  agents: {
    title: 'Agents',
    list: 'Every agent that Parley knows',
    ready: (ready: number, all: number) => `${ready} of ${all} ready`,
    show: 'Show agents',
    stages: 'How that is known',
    notChecked: 'Not looked for yet.',
    checked: (time: string) => `Looked for ${time}.`,
    how: 'How it is spoken with',
    can: 'What it can do',
    skills: 'Skills',
    tested: 'What was tried',
    testedOn: (version: string, day: string) => `With version ${version}, on ${day}.`,
    newer: (version: string) => `${version} is newer than what was tried. It should work; if it does not, say so.`,
    older: (version: string) => `${version} is older than what was tried.`,
    untested: 'Not verified on a real program with this version of Parley: it is built from documentation.',
    transports: {
      acp: 'Agent Client Protocol, one process kept for a conversation',
      'app-server': 'its own app server, one process for each try',
      'stream-json': 'its own stream with a control channel, one process for each try',
      'one-shot': 'one process for each turn; its answer comes whole, at the end',
      none: 'not spoken with: it needs a server of its own',
    } satisfies Record<Transport, string>,
    readOnly: {
      sandbox: 'Read-only holds by a sandbox of the operating system',
      permissions: 'Read-only holds by its own permissions; no sandbox',
      none: 'Unsandboxed: nothing holds it to reading, so it is refused where writing is locked',
    } satisfies Record<AgentAbilities['readOnly'], string>,
    write: 'Writes when a conversation allows it',
    asks: 'Asks before it acts, and waits for your answer',
    asksNot: 'Never asks: what it does is done',
    resume: 'Goes on in its own session',
    resumeNot: 'Begins anew each turn, from Parley’s transcript',
    images: (n: number) => (n === 0 ? 'Takes no images' : `Takes up to ${count(n, 'image', 'images')} with a turn`),
    usage: 'Says what a turn used',
    usageNot: 'Does not say what a turn used',
    stage: {
      found: 'found',
      version: 'right program',
      runtime: 'can run here',
      protocol: 'speaks the protocol',
      credentials: 'has credentials',
      answered: 'has answered',
    } satisfies Record<ReadinessStage['stage'], string>,
    verdict: {
      passed: 'passed',
      failed: 'failed',
      notOffered: 'not offered',
      notTried: 'not tried',
    } satisfies Record<Conformance['cases'][number]['verdict'], string>,
  },
}
