import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { defaultDataFolder } from '../../../electron/start/data-folder.ts'

const home = '/home/person'

test.each([
  ['linux', {}, '/home/person/.local/share/parley'],
  ['linux', { XDG_DATA_HOME: '/data' }, '/data/parley'],
  ['linux', { XDG_DATA_HOME: '' }, '/home/person/.local/share/parley'],
  ['darwin', {}, '/home/person/Library/Application Support/Parley'],
  ['win32', { LOCALAPPDATA: '/local' }, '/local/Parley'],
  ['linux', { PARLEY_DATA: '/elsewhere', XDG_DATA_HOME: '/data' }, '/elsewhere'],
  ['darwin', { PARLEY_DATA: 'beside' }, resolve('beside')],
] as const)('on %s with %j everything is kept in %s', (platform, environment, folder) => {
  expect(defaultDataFolder(environment, platform, home)).toBe(folder)
})
