import { describe, expect, test } from 'vitest'
import { candidatesFor, type Wanted } from '../../../adapters/find-program.ts'
import { LoginShell } from '../../../adapters/programs/login-shell.ts'
import { fakeComputer } from './fake-computer.ts'

const wanted: Wanted = {
  name: 'quill',
  override: 'PARLEY_QUILL',
  places: [],
  bundles: ['Quill.app/Contents/Resources/quill'],
  readVersion: (stdout) => stdout,
}

/** Where a program of that name is found, and how, on a computer with these files. */
const search = async (
  os: NodeJS.Platform,
  file: string,
  env: Record<string, string> = {},
  more: { text?: string; files?: Record<string, string>; answers?: Record<string, string> } = {},
) => {
  const files = { [file]: more.text ?? '', ...more.files }
  const { computer, ran } = fakeComputer({ os, files, answers: more.answers ?? {} })
  const own = os === 'win32' ? { USERPROFILE: 'C:\\Users\\me', ...env } : { HOME: '/home/me', PATH: '/usr/bin', ...env }
  const found = []
  const around = { env: own, allowed: own, computer, shell: new LoginShell(own, computer), signal: AbortSignal.any([]) }
  for await (const candidate of candidatesFor({ wanted, ...around })) found.push(candidate)
  return { found, first: found[0], ran }
}

describe('an agent started from the desktop is found', () => {
  test.each([
    ['nvm', '/home/me/.nvm/versions/node/v24.1.0/bin/quill', {}],
    ['nvm', '/opt/nvm/versions/node/v24.1.0/bin/quill', { NVM_DIR: '/opt/nvm' }],
    ['fnm', '/home/me/.local/share/fnm/node-versions/v22.3.0/installation/bin/quill', {}],
    ['fnm', '/home/me/Library/Application Support/fnm/node-versions/v22.3.0/installation/bin/quill', {}],
    ['asdf', '/home/me/.asdf/shims/quill', {}],
    ['asdf', '/home/me/.asdf/installs/nodejs/24.1.0/bin/quill', {}],
    ['mise', '/home/me/.local/share/mise/shims/quill', {}],
    ['mise', '/home/me/.local/share/mise/installs/node/24.1.0/bin/quill', {}],
    ['nodenv', '/home/me/.nodenv/shims/quill', {}],
    ['nodenv', '/home/me/.nodenv/versions/24.1.0/bin/quill', {}],
    ['Volta', '/home/me/.volta/bin/quill', {}],
    ['Volta', '/opt/volta/bin/quill', { VOLTA_HOME: '/opt/volta' }],
    ['pnpm', '/home/me/.local/share/pnpm/quill', {}],
    ['pnpm', '/home/me/Library/pnpm/bin/quill', {}],
    ['Bun', '/home/me/.bun/bin/quill', {}],
    ['Yarn', '/home/me/.yarn/bin/quill', {}],
    ['Yarn', '/home/me/.config/yarn/global/node_modules/.bin/quill', {}],
    ['npm', '/home/me/.npm-global/bin/quill', {}],
    ['Homebrew', '/opt/homebrew/bin/quill', {}],
    ['your home folder', '/home/me/.local/bin/quill', {}],
    ['PATH', '/srv/tools/quill', { PATH: '/usr/bin:/srv/tools' }],
  ])('in %s: %s', async (source, file, env) => {
    const { first } = await search('linux', file, env)
    expect([first?.source, first?.start?.file]).toEqual([`Found in ${source}.`, file])
  })

  test('where npm was told to put things', async () => {
    const { first } = await search('linux', '/home/me/things/bin/quill', {}, {
      files: { '/home/me/.npmrc': 'fund=false\nprefix = ~/things\n' },
    })
    expect(first?.source).toBe('Found in npm.')
  })

  test.each(['/Applications', '/home/me/Applications'])('in an application of macOS in %s', async (folder) => {
    const file = `${folder}/Quill.app/Contents/Resources/quill`
    expect((await search('darwin', file)).first?.source).toBe('Found in an application.')
    expect((await search('linux', file)).found).toEqual([])
  })

  test('with the newest Node of a version manager before the others', async () => {
    const folder = (version: string) => `/home/me/.nvm/versions/node/${version}/bin/quill`
    const { found } = await search('linux', folder('v9.9.9'), {}, { files: { [folder('v24.1.0')]: '' } })
    expect(found.map(({ start }) => start?.file)).toEqual([folder('v24.1.0'), folder('v9.9.9')])
  })

  test('and runs with the Node that it was installed into, before any other', async () => {
    const bin = '/home/me/.nvm/versions/node/v24.1.0/bin'
    const { first } = await search('linux', `${bin}/quill`, {}, {
      text: '#!/usr/bin/env node\n',
      files: { [`${bin}/node`]: '', '/usr/bin/node': '' },
      answers: { [`${bin}/node --version`]: 'v24.1.0\n', '/usr/bin/node --version': 'v18.0.0\n' },
    })
    expect(first?.start?.path).toBe(`${bin}:/usr/bin`)
    expect(first?.runtime).toMatchObject({ outcome: 'yes', how: 'Runs on Node 24.1.0.' })
  })
})

describe('on Windows an agent is found', () => {
  test.each([
    ['npm', 'C:\\Users\\me\\AppData\\Roaming\\npm\\quill.exe', {}],
    ['PATH', 'D:\\tools\\quill.com', { Path: 'C:\\Windows;D:\\tools' }],
    ['PATH', 'D:\\tools\\quill.exe', { Path: 'D:\\tools', PATHEXT: '.EXE;.CMD' }],
    ['nvm', 'C:\\Users\\me\\AppData\\Roaming\\nvm\\v24.1.0\\quill.exe', {}],
    ['fnm', 'C:\\Users\\me\\AppData\\Roaming\\fnm\\node-versions\\v24.1.0\\installation\\quill.exe', {}],
    ['Volta', 'C:\\Users\\me\\AppData\\Local\\Volta\\bin\\quill.exe', {}],
    ['pnpm', 'C:\\Users\\me\\AppData\\Local\\pnpm\\quill.exe', {}],
    ['Bun', 'C:\\Users\\me\\.bun\\bin\\quill.exe', {}],
    ['Scoop', 'C:\\Users\\me\\scoop\\shims\\quill.exe', {}],
    ['WinGet', 'C:\\Users\\me\\AppData\\Local\\Microsoft\\WinGet\\Links\\quill.exe', {}],
    ['an application', 'C:\\Users\\me\\AppData\\Local\\Programs\\quill\\quill.exe', {}],
  ])('in %s: %s', async (source, file, env) => {
    const { first } = await search('win32', file, env)
    expect([first?.source, first?.start?.file]).toEqual([`Found in ${source}.`, file])
  })

  test('with the endings that Windows itself would try, in its order', async () => {
    const { found } = await search('win32', 'D:\\t\\quill.exe', { Path: 'D:\\t', PATHEXT: '.CMD;.EXE' }, {
      files: {
        'D:\\t\\quill.cmd': '"%dp0%\\node_modules\\quill\\quill.js" %*',
        'D:\\t\\node_modules\\quill\\quill.js': '',
      },
    })
    expect(found.map(({ start }) => [start?.file, ...(start?.before ?? [])])).toEqual([
      ['node.exe', 'D:\\t\\node_modules\\quill\\quill.js'],
      ['D:\\t\\quill.exe'],
    ])
  })

  test('by where.exe when nothing else knows it', async () => {
    const file = 'E:\\odd place\\quill.exe'
    const { first } = await search('win32', file, { SYSTEMROOT: 'C:\\Windows' }, {
      answers: { 'C:\\Windows\\System32\\where.exe quill': `${file}\r\nnot a path\r\n` },
    })
    expect([first?.source, first?.start?.file]).toEqual(['Found by where.exe.', file])
  })
})

test('what is asked gets only what an agent may have', async () => {
  const own = { HOME: '/home/me', PATH: '/srv', OPENAI_API_KEY: 'sk', CLAUDECODE: '1', NODE_OPTIONS: '--inspect' }
  const { computer, ran } = fakeComputer({
    os: 'linux',
    files: { '/srv/quill': '' },
    answers: { '/srv/quill --version': '1.0.0' },
  })
  const shell = new LoginShell(own, computer)
  const allowed = { HOME: '/home/me', PATH: '/srv' }
  const around = { wanted, env: own, allowed, computer, shell, signal: AbortSignal.any([]) }
  for await (const { answer } of candidatesFor(around)) expect(answer.status).toBe('answered')
  expect(ran.map(({ env }) => env)).toEqual([{ HOME: '/home/me', PATH: '/srv' }])
})
