import { AppError } from '../../shared/errors.ts'
import type { Handlers } from '../../shared/ipc.ts'
import { recordRun } from '../run-files/record-run.ts'
import { readRun, writeRun } from '../run-files/run-files.ts'
import { replay } from '../supervisors/replay/replay.ts'
import { showRow } from './conversations.ts'
import type { Services } from './services.ts'

/** Settled runs: replayed from their record, saved as a file, and opened from one. */
export const runFileHandlers = (services: Services) =>
  ({
    'run.replay': async ({ runId }) => replay(await recordRun(services.stores, runId)),

    'run.preview': async ({ runId }) => (await write(services, runId)).preview,
    'run.export': async ({ runId }) => {
      const { name, text } = await write(services, runId)
      try {
        return { path: await services.shell.saveFile(name, text) }
      } catch (error) {
        throw new AppError('run-file.unsaved', 'The file could not be written there.', { cause: error })
      }
    },

    'import.preview': async ({ text }) => readRun(text).preview,
    'import.keep': async ({ text }) => {
      services.requireWritable()
      const { file } = readRun(text)
      const conversationId = services.newId('conversation')
      services.stores.imports.add(file, { conversationId, messageId: services.newId('message'), at: services.now() })
      showRow(services, conversationId)
      return { conversationId, runId: file.run.runId }
    },
  }) satisfies Partial<Handlers>

const write = ({ stores, env, dataFolder, providers, version, now }: Services, runId: string) =>
  writeRun(stores, runId, { env, dataFolder, keys: providers.keys(), parley: version, at: now() })
