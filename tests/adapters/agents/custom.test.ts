import { chmodSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { customAdapter } from '../../../adapters/agents/custom.ts'
import { programOfCustom } from '../../../adapters/agents/custom/program.ts'
import { decoderOf } from '../../../adapters/agents/custom/read-output.ts'
import type { CustomAgentDefinition, CustomOutput, CustomSpeech } from '../../../shared/custom-agent.ts'
import { AppError } from '../../../shared/errors.ts'
import { say } from './fake-agent.ts'
import { key, processes, program } from './one-shot-fake.ts'

afterEach(async () => {
  await processes.endAll()
})

const acpFake = fileURLToPath(new URL('../acp-fake.ts', import.meta.url))
const oneShot: CustomSpeech = { transport: 'one-shot', output: { format: 'text' } }
const acp = (readOnly: string | null): CustomSpeech => ({ transport: 'acp', modes: { readOnly, write: 'edit' } })

const open = async (args: string[], speech: CustomSpeech, allowWrite = true) => {
  const definition: CustomAgentDefinition = {
    name: 'my-tool', file: process.execPath, args, envNames: ['FAKE_KEY'], speech,
  }
  const adapter = customAdapter(definition, { processes })
  const { program: found } = await adapter.detect(AbortSignal.timeout(5_000))
  if (!found) throw new Error('the program was not found')
  const env = { PATH: process.env.PATH, HOME: '/home/user', FAKE_KEY: key, OTHER_KEY: 'never', CLAUDECODE: '1' }
  return adapter.open(
    {
      program: found, agent: 'custom:my-tool', cwd: tmpdir(), allowWrite, resume: null, scope: 'chat',
      token: `test-${crypto.randomUUID()}`, env,
    },
    AbortSignal.timeout(20_000),
  )
}

describe('an agent of the person’s own', () => {
  test('that prints its answer gets its fixed arguments and its variables, and nothing else', async () => {
    const { text, end } = await say(await open([program, 'report', '; touch x', '$(id)'], oneShot))
    const report = JSON.parse(text)
    expect(end).toEqual({ status: 'completed' })
    expect(report.argv).toEqual(['report', '; touch x', '$(id)'])
    expect(Object.keys(report.env).toSorted()).toEqual(['FAKE_KEY', 'HOME', 'PARLEY_ATTEMPT', 'PATH'])
    expect(report.stdin).toBe('Say it.')
  })

  test('that speaks ACP is set into the mode that its definition names', async () => {
    expect((await say(await open([acpFake, 'report'], acp('plan'), false))).text).toContain('"modeId":"plan"')
    expect((await say(await open([acpFake, 'report'], acp('plan'), true))).text).toContain('"modeId":"edit"')
  })

  test.each([
    ['without a mode for reading', 'report', 'auto-none'],
    ['that offers no modes at all', 'bare', 'plan'],
  ])('%s is not opened where nobody may write', async (_name, scenario, mode) => {
    await expect(open([acpFake, scenario], acp(mode), false)).rejects.toMatchObject({ code: 'agent.incompatible' })
    expect(processes.live).toEqual([])
  })

  test('can be held to reading only where its definition says how', () => {
    const readOnlyOf = (speech: CustomSpeech) =>
      customAdapter({ name: 'x', file: '/x', args: [], envNames: [], speech }, { processes }).abilities.readOnly
    expect([oneShot, acp(null), acp('plan')].map(readOnlyOf)).toEqual(['none', 'none', 'permissions'])
  })
})

describe('its program', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-programs-'))
  const file = join(folder, 'tool')
  const make = () => {
    writeFileSync(file, '#!/bin/sh\n', { mode: 0o755 })
    return file
  }
  const codeOf = (path: string, args: string[] = []) =>
    programOfCustom({ file: path, args }).then(
      (found) => found.file,
      (error: unknown) => (error instanceof AppError ? error.code : error),
    )

  test('is a file that is there and may be run', async () => {
    expect(await codeOf(make())).toBe(file)
    expect(await codeOf(join(folder, 'none'))).toBe('custom.file-unusable')
    mkdirSync(join(folder, 'a-folder'))
    expect(await codeOf(join(folder, 'a-folder'))).toBe('custom.file-unusable')
    chmodSync(file, 0o644)
    expect(await codeOf(file)).toBe('custom.file-unusable')
  })

  test('is no shell by another name', async () => {
    const link = join(folder, 'agent')
    symlinkSync('/bin/sh', link)
    expect(await codeOf(link, ['-c', 'x'])).toBe('custom.shell-script')
    expect(await codeOf(link, ['/opt/agent.sh'])).toBe(link)
  })

  test('that went away says so on its card, without its path', async () => {
    const speech = oneShot
    const gone = customAdapter({ name: 'x', file: join(folder, 'none'), args: [], envNames: [], speech }, { processes })
    const { card } = await gone.detect(AbortSignal.timeout(1_000))
    expect(card).toMatchObject({ readiness: 'notInstalled', failure: { code: 'custom.file-unusable' } })
    expect(JSON.stringify(card)).not.toContain(folder)
  })
})

describe('what it prints as JSON', () => {
  const read = (output: CustomOutput, printed: string) => {
    const decoder = decoderOf(output)
    const told = printed.split('\n').flatMap((line) => decoder.line(line))
    const end = decoder.end()
    return { told, end }
  }
  const lines: CustomOutput = { format: 'lines', answerField: 'part.text', errorField: 'error' }
  const object: CustomOutput = { format: 'object', answerField: 'result', errorField: 'is_error' }

  test('on lines is heard line by line, in the field that the definition names', () => {
    const printed = 'Loading…\n{"part":{"text":"One "}}\n{"usage":1}\n{"part":{"text":"two."},"error":null}\n'
    expect(read(lines, printed)).toEqual({
      told: [
        { type: 'omitted', what: 'a line that is no message', bytes: 10, sha256: null },
        { type: 'text', delta: 'One ' },
        { type: 'text', delta: 'two.' },
      ],
      end: { status: 'answered', items: [] },
    })
  })

  test('on lines with an error is a failure, whatever else was said', () => {
    expect(read(lines, '{"part":{"text":"One"}}\n{"error":"no credit"}')).toMatchObject({
      end: { status: 'failed', failure: { code: 'agent.crashed', params: { said: 'no credit' } } },
    })
  })

  test('on lines may hold only so much that is none', () => {
    expect(read(lines, `${'noise\n'.repeat(300)}{"part":{"text":"One"}}`).end).toMatchObject({
      status: 'failed', failure: { code: 'agent.garbled' },
    })
  })

  test('as one object is answered at the end, and its error flag is a signal of its own', () => {
    const beside = { type: 'omitted', what: 'beside the answer: note', bytes: 9, sha256: null }
    expect(read(object, 'note\n{\n "result": "Yes."\n}\nbye')).toEqual({
      told: [], end: { status: 'answered', items: [beside, { type: 'text', delta: 'Yes.' }] },
    })
    expect(read(object, '{"result":"API Error: rate limit","is_error":true}').end).toMatchObject({ status: 'failed' })
    expect(read(object, '{"result":"","is_error":false}').end).toEqual({ status: 'nothing', noise: '' })
  })

  test('as one object is bounded', () => {
    const half = `{"result":"${'x'.repeat(3 * 1_024 * 1_024)}"}`
    expect(read(object, `${half}\n${half}`).end).toMatchObject({
      status: 'failed', failure: { code: 'agent.output-limit' },
    })
  })

  test('does not reach into what every object has', () => {
    const output: CustomOutput = { format: 'object', answerField: 'constructor.name', errorField: null }
    expect(read(output, '{"result":"x"}').end).toMatchObject({ status: 'nothing' })
  })
})
