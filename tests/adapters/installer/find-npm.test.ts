import { chmod, mkdir, mkdtemp, realpath, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findNpm } from '../../../adapters/installer/find-npm.ts'

const soon = () => AbortSignal.timeout(20_000)

const house = async () => {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'parley-home-')))
  await mkdir(join(home, 'bin'))
  return { home, bin: join(home, 'bin'), env: { HOME: home, PATH: join(home, 'bin'), SHELL: '/bin/false' } }
}

/** A Node.js that says its version, and the program behind it. */
const putNode = async (folder: string, behind: string) => {
  const script = `#!/bin/sh\n[ "$1" = --version ] && echo v22.4.1 || echo ${behind}\n`
  await writeFile(join(folder, 'node'), script)
  await chmod(join(folder, 'node'), 0o755)
  return join(folder, 'node')
}

const putNpm = async (folder: string) => {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'npm-cli.js'), '')
  return join(folder, 'npm-cli.js')
}

test('npm is a script that Node.js runs, wherever its command leads to', async () => {
  const { home, bin, env } = await house()
  const node = await putNode(bin, '/nowhere/bin/node')
  const script = await putNpm(join(home, 'share', 'npm', 'bin'))
  await symlink(script, join(bin, 'npm'))
  expect((await findNpm(env, soon())).program).toMatchObject({ file: node, before: [script], version: '22.4.1' })
})

test('a command that is no link to the script, as on Windows, is read past', async () => {
  const { bin, env } = await house()
  await putNode(bin, '/nowhere/bin/node')
  await writeFile(join(bin, 'npm'), '#!/bin/sh\nexit 1\n')
  const script = await putNpm(join(bin, 'node_modules', 'npm', 'bin'))
  expect((await findNpm(env, soon())).program.before).toEqual([script])
})

test('behind the stand-in of a version manager is the Node.js that has an npm', async () => {
  const { home, bin, env } = await house()
  await putNode(bin, join(home, 'versions', '22', 'bin', 'node'))
  const script = await putNpm(join(home, 'versions', '22', 'lib', 'node_modules', 'npm', 'bin'))
  expect((await findNpm(env, soon())).program.before).toEqual([script])
})

test('a Node.js without npm is told as such', async () => {
  const { bin, env } = await house()
  await putNode(bin, '/nowhere/bin/node')
  await expect(findNpm(env, soon())).rejects.toMatchObject({ code: 'install.npm-missing' })
})
