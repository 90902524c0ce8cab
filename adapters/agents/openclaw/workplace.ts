import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { workplaceForgottenMs } from '../../../shared/limits.ts'
import type { Workplace } from '../one-shot/agent.ts'

/**
 * An empty folder to work in and one for its state, for one turn and for this user alone, both thrown away after it:
 * neither the person's files nor what they set up for their own OpenClaw is in reach by a relative path.
 */
export const makeWorkplace = async (parent: string = tmpdir()): Promise<Workplace> => {
  await sweep(parent)
  const folder = await mkdtemp(join(parent, prefix))
  const [workspace, state] = [join(folder, 'workspace'), join(folder, 'state')]
  await mkdir(workspace, { mode: folderMode })
  await mkdir(state, { mode: folderMode })
  const config = join(state, 'openclaw.json')
  // it holds no key: those come by the environment
  await writeFile(config, JSON.stringify({ agents: { defaults: { workspace } } }), { mode: fileMode, flag: 'wx' })
  return {
    cwd: workspace,
    values: { OPENCLAW_STATE_DIR: state, OPENCLAW_CONFIG_PATH: config, OPENCLAW_HIDE_BANNER: '1' },
    // what cannot be removed now is swept later
    leave: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {}),
  }
}

/** What a Parley that was killed has left there. */
const sweep = async (parent: string): Promise<void> => {
  const names = (await readdir(parent).catch(() => [])).filter((name) => name.startsWith(prefix))
  for (const name of names) {
    const folder = join(parent, name)
    const found = await stat(folder).catch(() => null)
    if (!found || Date.now() - found.mtimeMs < workplaceForgottenMs) continue
    await rm(folder, { recursive: true, force: true }).catch(() => {})
  }
}

const prefix = 'parley-openclaw-'
const folderMode = 0o700
const fileMode = 0o600
