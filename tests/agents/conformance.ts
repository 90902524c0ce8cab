import { describe, test } from 'vitest'
import { Processes } from '../../adapters/process.ts'
import { adapterCases } from './adapter-cases.ts'
import { caseNames, caseTitles, whyWithout, type CaseName } from './cases.ts'
import { adapterOf } from './drive.ts'
import { useAgent, type InUse } from './in-use.ts'
import type { RealAgent } from './install.ts'
import { parleyCases } from './parley-cases.ts'
import type { SpokenAgent } from './mock/tools.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** Which case of which agents a test tries, for the table of all of them. */
    conformance?: { agents: readonly RealAgent[]; name: CaseName }
  }
}

const bodies: Partial<Record<CaseName, (inUse: InUse, name: SpokenAgent) => Promise<void>>> = {
  ...adapterCases,
  ...parleyCases,
}

/** Tries one real agent with every case that its protocol has. */
export const conforms = (name: SpokenAgent, more: (inUse: InUse) => void = () => {}): void => {
  const adapter = adapterOf(name, new Processes(), { env: {} })
  const tried = caseNames.filter((each) => bodies[each] && whyWithout(name, each, adapter) === null)

  describe(`the real ${name}`, () => {
    const inUse = useAgent(name)
    for (const each of tried) {
      const meta = { conformance: { agents: [name], name: each } }
      test(caseTitles[each], { meta }, () => bodies[each]?.(inUse, name))
    }
    more(inUse)
  })
}
