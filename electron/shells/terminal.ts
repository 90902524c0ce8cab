import { resolve } from 'node:path'
import { nameOfAgent, type AgentId } from '../../shared/agent.ts'
import { roundsDefault } from '../../shared/limits.ts'
import type { AppState } from '../../shared/view.ts'
import type { Composition, ShellPort } from '../shell.ts'
import type { DiscussionWish, GatePolicy } from '../start/switches.ts'
import { noSecrets } from './no-secrets.ts'
import { openInBrowser } from './open-link.ts'
import { saveInto } from './save-file.ts'
import { holdDiscussion, type Discussion, type DiscussionEnd, type Table } from './terminal/discussion.ts'
import { Interrupts } from './terminal/interrupts.ts'
import { openMenu } from './terminal/menu.ts'
import { exitCodeOf, exitCodes, outcomeLines, outcomeOf } from './terminal/outcome.ts'
import { wantsColour } from './terminal/paint.ts'
import { openScreen } from './terminal/screen.ts'
import { defaultTopic } from './terminal/topics.ts'

export interface TerminalOptions {
  compose: (shell: ShellPort) => Composition
  wish: DiscussionWish
  /** `null` where nobody said: then a person is asked, if there is one. */
  gates: GatePolicy | null
  json: boolean
  input: NodeJS.ReadStream
  output: NodeJS.WriteStream
  /** Takes the outline when `output` is kept for the JSON line alone. */
  outlineBeside: NodeJS.WriteStream
  environment: Readonly<Record<string, string | undefined>>
  /** Where agents work unless the wish names a folder. */
  here: string
}

/** Shows Parley in a terminal, line by line; gives the exit code. Nothing of it is alive afterwards. */
export const openTerminal = async (options: TerminalOptions): Promise<number> => {
  const interrupts = new Interrupts()
  interrupts.listenToProcess()
  const { composition, table, hasPerson } = setTable(options, interrupts)
  let interrupted = false
  // a signal before or between discussions ends us in order
  interrupts.take(() => {
    interrupted = true
    void composition.quit('forced')
  })
  try {
    await composition.start()
    const { app } = await composition.handlers['app.snapshot']({})
    if (app.readOnly) {
      table.screen.say(`Nothing can be started: ${app.readOnly.message}`)
      return exitCodes.failed
    }
    sayWhatWasFound(table, app)
    // where nobody reads it, it is said again
    if (app.restored && hasPerson) await composition.handlers['app.restoredRead']({})
    await composition.handlers['agents.scan']({})
    if (!hasPerson || options.wish.topic !== null) return await holdOne(options, table)
    return (await openMenu(table, usualOf(options))) === 'left' ? exitCodes.settled : exitCodes.interrupted
  } catch (error) {
    if (interrupted) return exitCodes.interrupted
    throw error
  } finally {
    await composition.quit('asked')
  }
}

function setTable(options: TerminalOptions, interrupts: Interrupts) {
  const { input, json, environment } = options
  const output = json ? options.outlineBeside : options.output
  const canAsk = input.isTTY && output.isTTY
  const screen = openScreen({ input, output, colour: wantsColour(output.isTTY, environment), interrupts })
  const gates = options.gates ?? (canAsk && !json ? 'ask' : 'deny')
  const composition: Composition = options.compose(
    shellOf(options.here, () => void composition.quit('asked')),
  )
  if (gates === 'ask' && !canAsk) screen.say('There is no terminal to ask at, so what agents ask for is denied.')
  const table: Table = { composition, screen, interrupts, gates: gates === 'ask' && !canAsk ? 'deny' : gates }
  return { composition, table, hasPerson: canAsk && !json }
}

const shellOf = (here: string, quit: () => void): ShellPort => ({
  kind: 'terminal',
  pickDirectory: () => Promise.resolve(null),
  pickFile: () => Promise.resolve(null),
  saveFile: (name, text) => saveInto(here, name, text),
  openLink: openInBrowser,
  quit,
  secrets: noSecrets,
})

function sayWhatWasFound({ screen }: Table, { version, recovered, restored }: AppState) {
  screen.say(`Parley ${version}`)
  if (restored) {
    screen.say(
      `The record was damaged, and the backup of ${new Date(restored.from).toLocaleString()} was opened in its place. `
      + (restored.kept === null
        ? 'Nothing was left of the damaged one.'
        : `The damaged one is kept: in the data folder, quarantine/${restored.kept}.`),
    )
  }
  if (!recovered) return
  const { runsInterrupted, gatesKept } = recovered
  screen.say(
    `The last start ended without warning: ${count(runsInterrupted, 'run was', 'runs were')} interrupted, `
    + `${count(gatesKept, 'question is', 'questions are')} still open.`,
  )
}

const count = (amount: number, one: string, more: string) => `${amount} ${amount === 1 ? one : more}`

async function holdOne(options: TerminalOptions, table: Table): Promise<number> {
  const discussion = { ...usualOf(options), topic: options.wish.topic ?? defaultTopic }
  if (discussion.agents.every((agent) => agent.startsWith('rehearsal:'))) {
    table.screen.say('This is a rehearsal: the agents are scripted and need no key and no network.')
  }
  table.screen.say(`${discussion.agents.map((agent) => nameOfAgent(agent).name).join(', ')}: ${discussion.topic}`)
  const end = await holdDiscussion(table, discussion)
  if (end.soFar) for (const line of outcomeLines(end.soFar)) table.screen.say(line)
  if (options.json && end.soFar) await printLast(options.output, JSON.stringify(outcomeOf(end.soFar)))
  return exitCodeAfter(end)
}

const exitCodeAfter = ({ soFar, interrupted, abandoned }: DiscussionEnd): number => {
  if (interrupted) return exitCodes.interrupted
  return soFar && !abandoned ? exitCodeOf(soFar.run.status) : exitCodes.failed
}

const printLast = (output: NodeJS.WriteStream, line: string) =>
  new Promise<void>((done) => {
    output.write(`${line}\n`, () => done())
  })

const usualOf = ({ wish, here }: TerminalOptions): Omit<Discussion, 'topic'> => ({
  agents: wish.agents ?? rehearsalAgents,
  rounds: wish.rounds ?? roundsDefault,
  blindFirst: wish.blindFirst,
  workdir: wish.workdir === null ? here : resolve(here, wish.workdir),
  allowWrite: wish.allowWrite,
})

const rehearsalAgents: AgentId[] = ['rehearsal:bold', 'rehearsal:careful', 'rehearsal:sceptic']
