import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runOnce } from '../../../adapters/process.ts'
import { thisComputer } from '../../../adapters/programs/computer.ts'
import { startOf } from '../../../adapters/programs/shims.ts'
import { fakeComputer } from './fake-computer.ts'

const folder = 'C:\\Program Files (x86)\\x y'
const script = `${folder}\\node_modules\\@quill\\cli\\bin\\quill.js`

const shims = {
  'quill.cmd': '@ECHO off\r\nIF EXIST "%dp0%\\node.exe" (\r\n  SET "_prog=%dp0%\\node.exe"\r\n)\r\n' +
    'endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & ' +
    '"%_prog%"  "%dp0%\\node_modules\\@quill\\cli\\bin\\quill.js" %*',
  'quill.ps1': '#!/usr/bin/env pwsh\n$basedir=Split-Path $MyInvocation.MyCommand.Definition -Parent\n' +
    '& "$basedir/node$exe"  "$basedir/node_modules/@quill/cli/bin/quill.js" $args\n',
  quill: '#!/bin/sh\nbasedir=$(dirname "$0")\nexec node  "$basedir/node_modules/@quill/cli/bin/quill.js" "$@"\n',
}

describe('a start file of npm for Windows', () => {
  test.each(Object.entries(shims))('%s runs Node on its script, without a shell', async (name, text) => {
    const { computer } = fakeComputer({ os: 'win32', files: { [`${folder}\\${name}`]: text, [script]: '' } })
    expect(await startOf(computer, `${folder}\\${name}`, 'D:\\node\\node.exe')).toEqual({
      file: 'D:\\node\\node.exe', before: [script], script,
    })
  })

  test('takes the Node beside it before any other', async () => {
    const files = { [`${folder}\\quill.cmd`]: shims['quill.cmd'], [`${folder}\\node.exe`]: '', [script]: '' }
    const { computer } = fakeComputer({ os: 'win32', files })
    expect((await startOf(computer, `${folder}\\quill.cmd`, null))?.file).toBe(`${folder}\\node.exe`)
  })

  test('of a package with a program of its own starts that', async () => {
    const exe = `${folder}\\node_modules\\quill\\bin\\quill.exe`
    const text = '@ECHO off\r\n"%dp0%\\node_modules\\quill\\bin\\quill.exe"   %*\r\n'
    const { computer } = fakeComputer({ os: 'win32', files: { [`${folder}\\quill.cmd`]: text, [exe]: '' } })
    expect(await startOf(computer, `${folder}\\quill.cmd`, null)).toEqual({ file: exe, before: [], script: null })
  })

  test('of a project leads to the package beside it', async () => {
    const bin = 'C:\\p\\node_modules\\.bin'
    const text = '"%_prog%"  "%dp0%\\..\\quill\\cli.mjs" %*'
    const { computer } = fakeComputer({
      os: 'win32', files: { [`${bin}\\quill.cmd`]: text, 'C:\\p\\node_modules\\quill\\cli.mjs': '' },
    })
    expect((await startOf(computer, `${bin}\\quill.cmd`, 'n'))?.script).toBe('C:\\p\\node_modules\\quill\\cli.mjs')
  })

  test.each([
    ['leads out of them', '"%_prog%" "%dp0%\\node_modules\\..\\..\\evil.js" %*', 'C:\\Program Files (x86)\\evil.js'],
    ['leads beside its packages', '"%_prog%" "%dp0%\\evil.js" %*', `${folder}\\evil.js`],
    ['leads to another drive', '"%_prog%" "%~dp0D:\\evil\\node_modules\\cli.js" %*', 'D:\\evil\\node_modules\\cli.js'],
    ['leads to nothing', '"%_prog%" "%dp0%\\node_modules\\gone\\cli.js" %*', 'C:\\else'],
    ['is any other script', '@echo off\r\npython "%~dp0quill.py" %*', `${folder}\\quill.py`],
  ])('that %s is refused', async (_, text, target) => {
    const { computer } = fakeComputer({ os: 'win32', files: { [`${folder}\\quill.cmd`]: text, [target]: '' } })
    expect(await startOf(computer, `${folder}\\quill.cmd`, 'node.exe')).toBeNull()
  })
})

test('arguments arrive byte for byte through a start file, whatever a shell would make of them', async () => {
  const home = await mkdtemp(join(tmpdir(), 'parley-shim-'))
  const place = join(home, 'Program Files (x86)', 'x y')
  const real = join(place, 'node_modules', '@quill', 'cli', 'bin', 'quill.js')
  await mkdir(join(real, '..'), { recursive: true })
  await writeFile(real, 'process.stdout.write(JSON.stringify(process.argv.slice(2)))')
  await writeFile(join(place, 'quill.cmd'), shims['quill.cmd'])
  // the rules of Windows over the files of this computer
  const start = await startOf({ ...thisComputer, os: 'win32', path: posix }, join(place, 'quill.cmd'), process.execPath)
  const args = ['a&b', '%PATH%', 'say "x"', '^', 'one\ntwo', '$(id)', "it's", '\\', '']
  const end = await runOnce({
    file: start?.file ?? '', args: [...(start?.before ?? []), ...args], env: {}, atMostMs: 20_000,
  })
  expect(end.status === 'ended' && JSON.parse(end.stdout)).toEqual(args)
})

test('elsewhere a script of Node is told by its first line, and a start file of pnpm by what it names', async () => {
  const home = await mkdtemp(join(tmpdir(), 'parley-shim-'))
  const put = async (name: string, text: string) => {
    await writeFile(join(home, name), text)
    await chmod(join(home, name), 0o755)
    return startOf(thisComputer, join(home, name), null)
  }
  await put('cli.js', '')
  expect(await put('linked', '#!/usr/bin/env -S node --no-warnings\n')).toMatchObject({ script: join(home, 'linked') })
  expect(await put('pnpm', '#!/bin/sh\nexec node  "$basedir/cli.js" "$@"\n')).toMatchObject({
    file: join(home, 'pnpm'), before: [], script: join(home, 'cli.js'),
  })
  expect(await put('native', '\x7fELF')).toMatchObject({ script: null })
})
