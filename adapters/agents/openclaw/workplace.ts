import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { workplaceForgottenMs } from '../../../shared/limits.ts'
import type { OpenSession } from '../../ports.ts'
import type { Workplace } from '../one-shot/agent.ts'
import { configFor } from './config.ts'

/**
 * A folder for one turn and for this user alone, thrown away after it: an empty workspace, its state and its home. What
 * the person set up for their own OpenClaw, and the logins of other programs, are not found from there.
 */
export const makeWorkplace = async (
  request: Pick<OpenSession, 'env' | 'provider'>,
  parent: string = tmpdir(),
): Promise<Workplace> => {
  await sweep(parent)
  // made with 0700
  const folder = await mkdtemp(join(parent, prefix))
  const [workspace, state, home] = [join(folder, 'workspace'), join(folder, 'state'), join(folder, 'home')]
  for (const each of [workspace, state, home]) await mkdir(each, { mode: 0o700 })
  const config = join(state, 'openclaw.json')
  await writeFile(config, JSON.stringify(configFor(request, workspace)), { mode: 0o600, flag: 'wx' })
  return {
    cwd: workspace,
    values: { HOME: home, USERPROFILE: home, OPENCLAW_STATE_DIR: state, OPENCLAW_CONFIG_PATH: config },
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
