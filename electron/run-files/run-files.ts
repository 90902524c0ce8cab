import { readdirSync } from 'node:fs'
import { hostname, tmpdir, userInfo } from 'node:os'
import { hiddenOf } from '../../adapters/redact.ts'
import { AppError } from '../../shared/errors.ts'
import { runFileMaxBytes } from '../../shared/limits.ts'
import { RunFile, RunFileHead, runFileVersion, type RunFilePreview, type RunRecording } from '../../shared/run-file.ts'
import type { Stores } from '../stores/stores.ts'
import { cleanRecording } from './clean-recording.ts'
import { findFault } from './find-fault.ts'
import { recordRun } from './record-run.ts'
import { scrubberOf, type Surroundings } from './scrub.ts'

interface ExportOptions {
  env: Readonly<Record<string, string | undefined>>
  dataFolder: string
  /** Keys of providers, which no text may hold. */
  keys: readonly string[]
  parley: string
  at: number
}

interface WrittenRun {
  /** What the file is called unless the person says otherwise. */
  name: string
  text: string
  preview: RunFilePreview
}

/**
 * Writes one settled run as the text of a file. Throws `run.unknown`, `run.not-settled`, and `run-file.too-large`.
 */
export const writeRun = async (stores: Stores, runId: string, options: ExportOptions): Promise<WrittenRun> => {
  const recording = await recordRun(stores, runId)
  const workdir = workdirOf(stores, runId)
  const cleaned = cleanRecording(recording, scrubberOf(surroundings(options, workdir)))
  const file: RunFile = {
    format: 'parley-run',
    schemaVersion: runFileVersion,
    parley: options.parley,
    exportedAt: options.at,
    ...cleaned,
  }
  const text = `${JSON.stringify(RunFile.parse(file))}\n`
  const bytes = Buffer.byteLength(text)
  if (bytes > runFileMaxBytes) throw tooLarge()
  return { name: nameOf(file), text, preview: previewOf(file, bytes) }
}

/**
 * Reads the text of a file, whoever wrote it. Throws `run-file.too-large`, `run-file.not-one`, `run-file.newer`, and
 * `run-file.damaged`.
 */
export const readRun = (text: string): { file: RunFile; preview: RunFilePreview } => {
  const bytes = Buffer.byteLength(text)
  if (bytes > runFileMaxBytes) throw tooLarge()
  const content = jsonIn(text)
  const head = RunFileHead.safeParse(content)
  if (!head.success) throw new AppError('run-file.not-one', 'This is no run file of Parley. Choose another file.')
  if (head.data.schemaVersion > runFileVersion) {
    throw new AppError('run-file.newer', 'This file comes from a newer Parley. Open it with that one.')
  }
  const file = RunFile.safeParse(content)
  const fault = file.success ? findFault(file.data) : 'shape'
  if (!file.success || fault !== null) {
    throw new AppError('run-file.damaged', 'This file is not whole, or was changed. Ask for it once more.', {
      params: { fault: fault ?? 'shape' },
    })
  }
  return { file: file.data, preview: previewOf(file.data, bytes) }
}

const surroundings = ({ env, dataFolder, keys }: ExportOptions, workdir: string | null): Surroundings => {
  const hidden = hiddenOf(env)
  return {
    secrets: [...hidden.secrets, ...keys],
    home: hidden.home,
    folders: [
      { path: dataFolder, word: '(data folder)' },
      { path: tmpdir(), word: '(temporary folder)' },
      ...(workdir === null ? [] : [{ path: workdir, word: '(working folder)' }]),
    ],
    roots: rootNames(),
    names: [
      ...[env['USER'], env['LOGNAME'], env['USERNAME'], accountName()].flatMap((name) =>
        name ? [{ name, word: 'somebody' }] : []),
      { name: hostname(), word: 'somewhere' },
      { name: hostname().split('.')[0] ?? '', word: 'somewhere' },
    ],
  }
}

const workdirOf = (stores: Stores, runId: string): string | null => {
  const conversationId = stores.runs.get(runId)?.conversationId ?? ''
  if (stores.imports.has(conversationId)) return null
  return stores.conversations.get(conversationId)?.workdir ?? null
}

const rootNames = (): string[] => {
  try {
    return readdirSync('/')
  } catch {
    return []
  }
}

/** An account without an entry has no name to hide. */
const accountName = (): string | null => {
  try {
    return userInfo().username
  } catch {
    return null
  }
}

const nameOf = ({ conversation, run }: RunFile): string => {
  const words = conversation.name.normalize('NFKD').replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, '')
  const day = new Date(run.startedAt).toISOString().slice(0, 10)
  return `parley-${words.slice(0, nameMaxCharacters).toLowerCase() || 'run'}-${day}.json`
}

const nameMaxCharacters = 60

const previewOf = (file: RunFile, bytes: number): RunFilePreview => ({
  parley: file.parley,
  exportedAt: file.exportedAt,
  name: file.conversation.name,
  topic: file.run.topic.slice(0, topicShownCharacters),
  agents: [...new Set(file.run.seats.map(({ agent }) => agent))],
  status: file.run.status,
  startedAt: file.run.startedAt,
  rounds: file.run.round,
  messages: 1 + file.attempts.filter(({ text }) => text !== '').length,
  characters: charactersIn(file),
  transitions: file.events.length,
  prompts: file.attempts.reduce((sum, { deliveries }) => sum + deliveries.length, 0),
  gates: file.gates.length,
  earlierTurns: file.earlier.turns.length + file.earlier.capsules.length,
  images: file.images,
  replaced: file.replaced,
  bytes,
})

const topicShownCharacters = 2_000

/** Of what the person and the agents wrote, and of what agents were sent. */
const charactersIn = ({ run, attempts }: RunRecording): number =>
  attempts.reduce(
    (sum, { text, deliveries }) => sum + text.length + deliveries.reduce((all, { prompt }) => all + prompt.length, 0),
    run.topic.length,
  )

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const tooLarge = () =>
  new AppError('run-file.too-large', 'This run is too large for one file.', {
    params: { maxMebibytes: runFileMaxBytes / 1024 / 1024 },
  })
