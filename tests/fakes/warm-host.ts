import { acpAdapter } from '../../adapters/agents/acp.ts'
import { WarmSessions } from '../../adapters/agents/acp/warm.ts'
import { Processes } from '../../adapters/process.ts'
import { guardLaunches } from '../../adapters/start-guard.ts'
import { fakeAgent, fakeRequest } from '../adapters/acp-program.ts'

/** A Parley in small that keeps an agent which heeds nothing, and stays, to be killed. */
const [token = ''] = process.argv.slice(2)
const adapter = acpAdapter(fakeAgent, new Processes(guardLaunches()), {
  openMs: 20_000,
  firstSignMs: 20_000,
  warm: new WarmSessions(),
})
const session = await adapter.open(fakeRequest('stubborn', { token }), new AbortController().signal)
await session.prompt({ prompt: 'do:noise' }, () => {})
await session.close()
console.log('kept')
setInterval(() => {}, 1_000)
