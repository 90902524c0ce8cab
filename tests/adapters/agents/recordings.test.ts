import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { failureOfExit } from '../../../adapters/agents/outcome.ts'
import { readFailure, readRetry } from '../../../adapters/agents/codex/read-failure.ts'
import { linesOf, tapeFile } from '../tapes.ts'
import { failureOf, goldenOf } from './golden.ts'
import { claudeStage, codexStage, replay, type Cutting, type Scene } from './replay.ts'

interface Entry {
  dir: '->' | '<-' | 'exit'
  msg: {
    type?: string
    method?: string
    id?: string | number
    session_id?: string
    code?: number
    request?: { subtype: string }
    response?: { response?: { behavior?: string } }
    result?: { decision?: string; thread?: { id: string } }
    params?: { threadId?: string; turn?: { id: string } }
  }
}

/** How the recorded programs ended, where not by themselves with the code that their protocol tells. */
const exits: Record<string, [code: number | null, signal: string | null]> = {
  'cancel-stream-TERM': [143, null],
  'cancel-tool-KILL': [null, 'SIGKILL'],
  'cancel-tool-TERM': [143, null],
  'cancel-tool-pgKILL': [null, 'SIGKILL'],
  'cancel-tool-pgTERM': [143, null],
  'err-401': [null, 'SIGKILL'],
  'err-hang-default': [null, 'SIGKILL'],
  'err-hang-watchdog': [null, 'SIGKILL'],
}
const cuttings: readonly Cutting[] = ['by line', 'whole', 'by byte']
const golden = (kind: string, name: string) => tapeFile(join('golden', kind, `${name}.txt`))
const named = (kind: string) =>
  readdirSync(tapeFile(kind))
    .filter((file) => file.endsWith('.jsonl'))
    .map((file) => file.replace(/\.jsonl$/, ''))
const entriesOf = (tape: string) => linesOf(tape).map((line) => JSON.parse(line) as Entry)
const hasDirections = (tape: string) => linesOf(tape).some((line) => /"dir": ?"->"/.test(line))

const oneShotScenes = (name: string): Scene[] => {
  const stderrFile = tapeFile(`claude/${name}.stderr.txt`)
  const stderr = readdirSync(tapeFile('claude')).includes(`${name}.stderr.txt`) ? readFileSync(stderrFile, 'utf8') : ''
  const [code, signal] = exits[name] ?? [0, null]
  return [
    { does: 'prompt' },
    { prints: readFileSync(tapeFile(`claude/${name}.jsonl`), 'utf8') },
    { exits: { code, signal, stderr } },
  ]
}

const claudeScenes = (tape: string): Scene[] => {
  const scenes: Scene[] = []
  for (const { dir, msg } of entriesOf(tape)) {
    if (dir === '<-' && msg.type !== 'control_response') scenes.push({ prints: `${JSON.stringify(msg)}\n` })
    if (dir !== '->') continue
    if (msg.type === 'user') scenes.push({ does: 'prompt' })
    if (msg.request?.subtype === 'interrupt') scenes.push({ does: 'cancel' })
    const behavior = msg.response?.response?.behavior
    if (behavior) scenes.push({ does: 'answer', effect: behavior === 'allow' ? 'grant' : 'deny' })
  }
  return [...scenes, { exits: { code: 0, signal: null, stderr: '' } }]
}

const codexScenes = (tape: string): Scene[] => {
  const scenes: Scene[] = []
  const entries = entriesOf(tape)
  for (const [index, { dir, msg }] of entries.entries()) {
    if (dir === '<-' && msg.method) scenes.push({ prints: `${JSON.stringify(msg)}\n` })
    if (dir !== '->') continue
    if (msg.method === 'turn/start') {
      const started = entries.slice(index).find((entry) => entry.msg.method === 'turn/started')
      scenes.push({ does: 'prompt', turnId: started?.msg.params?.turn?.id ?? '' })
    }
    if (msg.method === 'turn/interrupt') scenes.push({ does: 'cancel' })
    const decision = msg.result?.decision
    if (decision) scenes.push({ does: 'answer', effect: decision === 'accept' ? 'grant' : 'deny' })
  }
  return [...scenes, { exits: { code: 0, signal: null, stderr: '' } }]
}

describe.each(named('claude'))('claude/%s', (name) => {
  const tape = `claude/${name}.jsonl`
  const scenes = hasDirections(tape) ? claudeScenes(tape) : oneShotScenes(name)
  const sessionId = /"subtype": ?"init".*?"session_id": ?"([^"]+)"/.exec(readFileSync(tapeFile(tape), 'utf8'))?.[1]

  test.each(cuttings)('comes to the same events, read %s', async (cutting) => {
    const turns = await replay(claudeStage(sessionId ?? '', !name.includes('read-only')), scenes, cutting)
    await expect(goldenOf(turns)).toMatchFileSnapshot(golden('claude', name))
  })
})

describe.each(named('codex').filter((name) => !name.startsWith('exec-')))('codex/%s', (name) => {
  const tape = `codex/${name}.jsonl`
  const threadId = entriesOf(tape).find(({ msg }) => msg.result?.thread)?.msg.result?.thread?.id

  test.each(cuttings)('comes to the same events, read %s', async (cutting) => {
    const turns = await replay(codexStage(threadId ?? '', !name.includes('read-only')), codexScenes(tape), cutting)
    await expect(goldenOf(turns)).toMatchFileSnapshot(golden('codex', name))
  })
})

/**
 * `codex exec` speaks another protocol, which Parley does not use. Its errors are the same sentences, and the reader of
 * failures must understand them, whichever way they come.
 */
const errors = named('codex').filter((name) => name.startsWith('exec-err-'))

test.each(errors)('codex/%s says what is understood', async (name) => {
  const said = linesOf(`codex/${name}.jsonl`).flatMap((line) => {
    const { type, message, error } = JSON.parse(line) as { type: string; message?: string; error?: { message: string } }
    if (type === 'error' && message?.startsWith('Reconnecting')) {
      const { attempt, max } = readRetry(message)
      return [`retrying ${attempt}/${max ?? 'endless'}: ${failureOf(readFailure({ message }))}`]
    }
    return type === 'turn.failed' && error ? [`end failed ${failureOf(readFailure(error))}`] : []
  })
  await expect(`${said.join('\n')}\n`).toMatchFileSnapshot(golden('codex', name))
})

const complaints = ['claude', 'codex'].flatMap((kind) =>
  readdirSync(tapeFile(kind))
    .filter((file) => file.endsWith('.stderr.txt'))
    .map((file) => `${kind}/${file}`),
)

test.each(complaints)('what was complained of in %s is quoted, and is no reason of its own', (file) => {
  const stderr = readFileSync(tapeFile(file), 'utf8')
  const failure = failureOfExit({ code: 1, signal: null, stderr, cause: null, heard: 'nothing', noise: '' }, 0)
  expect(failure.code).toBe('agent.crashed')
  expect(stderr).toContain(failure.params?.['said'])
})
