import { describe, expect, test } from 'vitest'
import { caseTitles } from './cases.ts'
import { useAgent } from './in-use.ts'
import { agentPackages } from './install.ts'

describe('the real amp', () => {
  const inUse = useAgent('amp')

  test(`it ${caseTitles.found}`, { meta: { conformance: { agents: ['amp'], name: 'found' } } }, async () => {
    const { card } = await inUse.agent.adapter.detect(AbortSignal.timeout(60_000))
    expect(card.failure).toBeNull()
    expect(card.version).not.toBeNull()
    expect(agentPackages.amp.version.startsWith(card.version ?? '')).toBe(true)
  })
})
