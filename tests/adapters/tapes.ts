import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AgentEvent } from '../../shared/agent-event.ts'
import type { Heard } from '../../adapters/agents/live-turn.ts'
import type { TapeEntry } from '../fakes/tape.ts'

const fixtures = join(import.meta.dirname, '..', 'fixtures')

export const tapeFile = (name: string): string => join(fixtures, name)

const readTape = (name: string): TapeEntry[] =>
  readFileSync(tapeFile(name), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as TapeEntry)

/** What the agent printed, message by message. */
export const printedOn = (name: string): unknown[] =>
  readTape(name).flatMap((entry) => ('dir' in entry && entry.dir === '<-' ? [entry.msg] : []))

/** The lines of a tape that has no directions: one message a line. */
export const linesOf = (name: string): string[] =>
  readFileSync(tapeFile(name), 'utf8')
    .split('\n')
    .filter((line) => line !== '')

/** A tape of our own for the fake agent. */
export const writeTape = (entries: readonly TapeEntry[]): string => {
  const file = join(mkdtempSync(join(tmpdir(), 'parley-tape-')), 'tape.jsonl')
  writeFileSync(file, entries.map((entry) => JSON.stringify(entry)).join('\n'))
  return file
}

/** What a reader of these events would have on the screen as the answer. */
export const textOf = (events: readonly (AgentEvent | Heard)[]): string =>
  events.reduce((text, event) => {
    if (event.type === 'textReplaced') return event.text
    return event.type === 'text' ? text + event.delta : text
  }, '')
