import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { TestOffice } from '../fakes/office.ts'
import { traits, type CaseName } from './cases.ts'
import type { AgentHome } from './homes.ts'
import type { InUse } from './in-use.ts'
import { script } from './mock/script.ts'
import type { SpokenAgent } from './mock/tools.ts'
import { chatWith, commandsIn, onlyTurn, openOffice, runEnds, survivorsIn, waitingGate } from './office.ts'

type Case = (inUse: InUse, name: SpokenAgent) => Promise<void>

/** The cases that need the whole composition. */
export const parleyCases = {
  async chat({ agent, model }, name) {
    await inOffice(agent.home, name, async (office) => {
      const conversationId = await chatWith(office, name, agent.adapter.abilities.readOnly === 'none')
      const first = await office.send(conversationId, `The word is apricot. ${script({ say: 'Noted.' })}`)
      expect(await runEnds(office, first)).toBe('completed')
      const turn = await onlyTurn(office, first)
      expect(turn).toMatchObject({ text: 'Noted.', failure: null })
      expect(turn.usage?.provenance).toBe(agent.adapter.abilities.usage ? traits[name].usage : undefined)
      const second = await office.send(conversationId, `Which word? ${script({ say: 'Apricot.' })}`)
      expect(await runEnds(office, second)).toBe('completed')
      expect((await onlyTurn(office, second)).text).toBe('Apricot.')
      const sent = model.requests(name).findLast(({ prompts }) => prompts.some((each) => each.includes('Which word?')))
      expect(JSON.stringify(sent?.body)).toContain('The word is apricot')
      const { attemptId } = await onlyTurn(office, second)
      const { deliveries } = await office.handlers['attempt.open']({ attemptId })
      expect(deliveries.map(({ session }) => session)).toEqual([agent.adapter.abilities.resume ? 'resumed' : 'new'])
    })
  },

  async gate({ agent }, name) {
    await inOffice(agent.home, name, async (office) => {
      const conversationId = await chatWith(office, name, true)
      const made = join(office.folder, 'made.txt')
      const granted = await office.send(
        conversationId,
        `Make it. ${script({ run: 'touch made.txt' }, { say: 'Made.' })}`,
      )
      const gate = await waitingGate(office)
      expect(gate).toMatchObject({ kind: 'permission', status: 'waiting', asker: { agent: name } })
      expect(gate.detail).toContain('touch made.txt')
      expect(existsSync(made)).toBe(false)
      await office.handlers['gate.answer']({ gateId: gate.gateId, optionId: 'allow', note: null })
      expect(await runEnds(office, granted)).toBe('completed')
      expect(existsSync(made)).toBe(true)

      const denied = await office.send(
        conversationId,
        `Again. ${script({ run: 'touch other.txt' }, { say: 'Then not.' })}`,
      )
      const second = await waitingGate(office)
      await office.handlers['gate.answer']({ gateId: second.gateId, optionId: 'deny-with-note', note: 'Not today.' })
      expect(await runEnds(office, denied)).toBe('completed')
      expect(existsSync(join(office.folder, 'other.txt'))).toBe(false)
      const turn = await onlyTurn(office, denied)
      expect(turn.denials).toBe(1)
      expect(turn.text.includes('Then not.')).toBe(traits[name].goesOnAfterDenial)
    })
  },

  async key({ agent, model }, name) {
    await agent.home.pointAt(model.urlFor(name, '401'))
    await inOffice(agent.home, name, async (office) => {
      const conversationId = await chatWith(office, name, agent.adapter.abilities.readOnly === 'none')
      const runId = await office.send(conversationId, `Hello. ${script({ say: 'Never said.' })}`)
      expect(await runEnds(office, runId)).toBe('failed')
      expect(await onlyTurn(office, runId)).toMatchObject({
        tries: 1,
        text: '',
        failure: { code: 'agent.unauthorized' },
      })
      expect(office.pushes.findLast(({ topic }) => topic === 'agents.changed')?.body).toMatchObject({
        agents: [{ agent: name, readiness: 'needsLogin' }],
      })
    })
  },

  async stop({ agent }, name) {
    await inOffice(agent.home, name, async (office) => {
      const conversationId = await chatWith(office, name, agent.adapter.abilities.write)
      const runId = await office.send(
        conversationId,
        `Wait. ${script({ run: 'tail -f /dev/null' }, { say: 'Never said.' })}`,
      )
      // some ask before they run it, and some find it harmless
      const allow = async () => {
        for (const { gateId } of (await office.handlers['gate.list']({})).gates)
          await office.handlers['gate.answer']({ gateId, optionId: 'allow', note: null })
        return commandsIn(agent.home)
      }
      await expect.poll(allow, { timeout: 60_000 }).toContain('tail -f /dev/null')
      const stopped = performance.now()
      await office.handlers['run.stop']({ runId })
      expect(await runEnds(office, runId)).toBe('stopped')
      expect(performance.now() - stopped).toBeLessThan(5_000)
      expect(await survivorsIn(agent.home)).toEqual([])
    })
  },
} satisfies Partial<Record<CaseName, Case>>

const inOffice = async (home: AgentHome, name: SpokenAgent, use: (office: TestOffice) => Promise<void>) => {
  const open = await openOffice(new Map([[name, home]]))
  try {
    await use(open.office)
  } finally {
    await open.close()
  }
  expect(await survivorsIn(home)).toEqual([])
}
