import { resolve } from 'node:path'
import { toFailure } from '../shared/errors.ts'
import { defaultDataFolder } from './start/data-folder.ts'
import { openShell } from './start/open-shell.ts'
import { refuseFileAsData, refuseMissingWorkdir } from './start/refuse-folders.ts'
import { whereStarted } from './start/where-started.ts'
import { help, readSwitches } from './start/switches.ts'

const say = (line: string) => void process.stderr.write(`${line}\n`)

// whoever reads us may leave early, as `head` does
process.stdout.on('error', () => {})
await finish(await launch(process.argv.slice(2)))

/** `npm start`: reads the switches, does what they say, and gives the exit code. */
async function launch(args: readonly string[]): Promise<number> {
  try {
    const switches = readSwitches(args)
    if (switches.task === 'help') return print(help.trimEnd())
    const dataFolder = resolve(whereStarted(), switches.data ?? defaultDataFolder(process.env, process.platform))
    refuseFileAsData(dataFolder)
    if (switches.task === 'open') {
      if (switches.wish.workdir !== null) refuseMissingWorkdir(resolve(whereStarted(), switches.wish.workdir))
      return await openShell(switches, dataFolder, say)
    }
    if (switches.task === 'export') {
      const { exportLines, exportStored } = await import('./shells/terminal/export.ts')
      const { ownVersion } = await import('./start/composing.ts')
      const here = whereStarted()
      const parley = await ownVersion()
      const exported = await exportStored({ dataFolder, runId: switches.runId, here, env: process.env, parley })
      return print(switches.json ? JSON.stringify(exported) : exportLines(exported).join('\n'))
    }
    const { inspectStored, inspectionLines } = await import('./shells/terminal/inspection.ts')
    const stored = inspectStored(dataFolder)
    return print(switches.json ? JSON.stringify(stored) : inspectionLines(stored).join('\n'))
  } catch (error) {
    const failure = toFailure(error)
    say(`Parley: ${failure.message}`)
    // a person who looks for a fault may see what is otherwise kept back
    if (process.env['PARLEY_DEBUG']) console.error(error)
    return failure.code === 'usage.bad' ? 2 : 1
  }
}

function print(text: string): number {
  process.stdout.write(`${text}\n`)
  return 0
}

/** Ends even if something still waits, once everything printed has been taken. */
async function finish(code: number): Promise<never> {
  await new Promise<void>((taken) => {
    process.stdout.write('', () => taken())
  })
  process.exit(code)
}
