import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import type { AgentAdapter } from '../../adapters/ports.ts'
import { FakeAdapter, type Script } from './fake-adapter.ts'
import { TestOffice } from './office.ts'

/** Opens offices for the tests of one file, and closes and removes them after each. */
export const openOffices = () => {
  const offices: TestOffice[] = []

  afterEach(async () => {
    for (const office of offices.splice(0).toReversed()) {
      await office.quit()
      office.remove()
    }
  })

  const started = async (office: TestOffice) => {
    offices.push(office)
    await office.start()
    return office
  }

  return {
    open: async (script: Script, options: ConstructorParameters<typeof FakeAdapter>[1] = {}) => {
      const adapter = new FakeAdapter(script, options)
      return { adapter, office: await started(new TestOffice([adapter])) }
    },

    /** The same folder after an orderly end. */
    next: async (office: TestOffice, adapters: readonly AgentAdapter[]) => {
      await office.quit()
      return started(new TestOffice(adapters, office.folder))
    },

    /** What a kill would leave at this moment: the folder as it is on disk, opened by a next start. */
    afterACrash: async (office: TestOffice, adapters: readonly AgentAdapter[]) =>
      started(new TestOffice(adapters, copyOf(office.folder))),

    keepOpen: started,

    /** As the folder is now, to be opened later or changed before. */
    keep: (office: TestOffice) => copyOf(office.folder),
    openFolder: (folder: string, adapters: readonly AgentAdapter[]) => started(new TestOffice(adapters, folder)),
  }
}

/** An agent that nobody may start. */
export const mute = () =>
  new FakeAdapter(() => {
    throw new Error('nothing may be started')
  })

const copyOf = (source: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-crash-'))
  cpSync(source, folder, { recursive: true })
  rmSync(join(folder, 'parley.lock'), { force: true })
  return folder
}
