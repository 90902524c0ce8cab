import { afterAll, afterEach, beforeAll } from 'vitest'
import { driveAgent, type DrivenAgent } from './drive.ts'
import type { RealAgent } from './install.ts'
import { startMockModel, type MockModel } from './mock-model.ts'
import type { SpokenAgent } from './mock/tools.ts'

/** One agent with its home and a model of its own, for all the tests of a file. */
export interface InUse {
  readonly agent: DrivenAgent
  readonly model: MockModel
}

export const useAgent = (name: RealAgent): InUse => {
  let agent: DrivenAgent | null = null
  let model: MockModel | null = null

  beforeAll(async () => {
    model = await startMockModel()
    agent = await driveAgent(name, urlOf(model, name))
  })

  afterEach(async () => {
    await agent?.rest()
    if (model) await agent?.home.pointAt(urlOf(model, name))
  })

  afterAll(async () => {
    await agent?.leave()
    await model?.close()
  })

  return {
    get agent() {
      return there(agent)
    },
    get model() {
      return there(model)
    },
  }
}

const urlOf = (model: MockModel, name: RealAgent) => (name === 'amp' ? '' : model.urlFor(name satisfies SpokenAgent))

const there = <Thing>(thing: Thing | null): Thing => {
  if (thing === null) throw new Error('it is there once the tests of this file have begun')
  return thing
}
