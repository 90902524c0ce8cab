import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Makes an empty profile for one start of a browser, and sweeps away those that an earlier start left behind. */
export const makeProfile = async (dataFolder: string): Promise<{ folder: string; remove(): Promise<void> }> => {
  const profiles = join(dataFolder, 'browser')
  await mkdir(profiles, { recursive: true, mode: 0o700 })
  await sweep(profiles)
  const folder = await mkdtemp(join(profiles, `${process.pid}-`))
  // a browser that is just ending may still write a file or two
  return { folder, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }) }
}

async function sweep(profiles: string) {
  for (const name of await readdir(profiles)) {
    const owner = /^(\d+)-/.exec(name)?.[1]
    if (owner && !isAlive(Number(owner))) await rm(join(profiles, name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // it lives, but belongs to somebody else
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
