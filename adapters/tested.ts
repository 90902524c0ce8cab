import type { AgentKind, Conformance } from '../shared/agent.ts'

/** What was tried on a real program of each agent. Written by a run of those tests; nobody edits it. */
export const tested: Readonly<Partial<Record<AgentKind, Conformance>>> = {}
