import { expect, test } from 'vitest'
import { claudeEnvironment } from '../../adapters/agents/claude.ts'
import { codexEnvironment } from '../../adapters/agents/codex.ts'
import { childEnvironment, withFolderOnPath } from '../../adapters/environment.ts'

const mains = {
  PATH: '/usr/bin',
  HOME: '/nowhere/ann',
  LANG: 'de_DE.UTF-8',
  LC_ALL: 'C',
  XDG_CONFIG_HOME: '/nowhere/config',
  https_proxy: 'http://proxy:3128',
  NODE_EXTRA_CA_CERTS: '/etc/ca.pem',
  CLAUDECODE: '1',
  CLAUDE_CODE_ENTRYPOINT: 'cli',
  CODEX_SANDBOX: 'seatbelt',
  CODEX_THREAD_ID: 'x',
  NODE_OPTIONS: '--inspect',
  ELECTRON_RUN_AS_NODE: '1',
  LD_PRELOAD: '/x.so',
  npm_config_registry: 'x',
  GH_TOKEN: 'canary',
  OPENAI_API_KEY: 'canary-openai',
  ANTHROPIC_API_KEY: 'canary-anthropic',
  PARLEY_CODEX: '/x',
  AWS_SECRET_ACCESS_KEY: 'canary',
}
const everybodys = {
  PATH: '/usr/bin',
  HOME: '/nowhere/ann',
  LANG: 'de_DE.UTF-8',
  LC_ALL: 'C',
  XDG_CONFIG_HOME: '/nowhere/config',
  https_proxy: 'http://proxy:3128',
  NODE_EXTRA_CA_CERTS: '/etc/ca.pem',
}

test('a child gets what every program needs, and neither keys nor markers nor switches', () => {
  expect(childEnvironment(mains, { names: [] })).toEqual(everybodys)
})

test('each agent gets its own key and not the other one’s', async () => {
  expect(await codexEnvironment(mains)).toEqual({ ...everybodys, OPENAI_API_KEY: 'canary-openai' })
  expect(claudeEnvironment(mains)).toEqual({
    ...everybodys,
    ANTHROPIC_API_KEY: 'canary-anthropic',
    DISABLE_AUTOUPDATER: '1',
  })
})

test('a folder is added to the end of PATH once', () => {
  expect(withFolderOnPath({ PATH: '/a:/b' }, '/c')).toEqual({ PATH: '/a:/b:/c' })
  expect(withFolderOnPath({ PATH: '/a:/b' }, '/b')).toEqual({ PATH: '/a:/b' })
})
