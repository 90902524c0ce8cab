import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LiveProcess } from './live-process.ts'
import type { Processes } from './process.ts'

/** A file that one process finds by a variable of its environment. Nothing secret is in it. */
export interface PrivateFile {
  variable: string
  name: string
  text: string
}

type Launch = Parameters<Processes['launch']>[0]

/** As `Processes.launch`, with files in a folder that only this person can read and that goes with the process. */
export const launchWithFiles = async (
  processes: Pick<Processes, 'launch'>,
  launch: Launch,
  files: readonly PrivateFile[],
): Promise<LiveProcess> => {
  if (files.length === 0) return processes.launch(launch)
  const folder = await mkdtemp(join(tmpdir(), 'parley-'))
  const remove = () => rm(folder, { recursive: true, force: true }).catch(() => undefined)
  try {
    const places = files.map(({ variable, name }) => [variable, join(folder, name)] as const)
    await Promise.all(files.map(({ name, text }) => writeFile(join(folder, name), text, { mode: 0o600 })))
    const process = await processes.launch({ ...launch, env: { ...launch.env, ...Object.fromEntries(places) } })
    void process.gone.then(remove)
    return process
  } catch (error) {
    await remove()
    throw error
  }
}
