import { describe, expect, test } from 'vitest'
import * as rules from './architecture/rules.ts'
import { readProject, sourceFile, topLevel } from './architecture/sources.ts'

interface Law {
  sentence: string
  rule: rules.Rule
  /** Files, by path, that break it. */
  breach: Record<string, string>
}

const laws: Law[] = [
  {
    sentence: 'imports point upward only',
    rule: rules.arrowsPointUpward,
    breach: { 'machines/run.ts': `import { codex } from '../adapters/codex.ts'` },
  },
  {
    sentence: 'each side uses its own packages only',
    rule: rules.packagesStayOnTheirSide,
    breach: { 'shared/ids.ts': `import { randomUUID } from 'node:crypto'` },
  },
  {
    sentence: 'nothing imports tests',
    rule: rules.nothingImportsTests,
    breach: { 'electron/compose.ts': `import { clock } from '../tests/fakes/clock.ts'` },
  },
  {
    sentence: 'a relative import names a file that exists',
    rule: rules.importsNameFiles,
    breach: { 'shared/run.ts': `import { Id } from './ids'`, 'shared/ids.ts': '' },
  },
  {
    sentence: 'zod is imported whole, so that bundles drop what they do not use',
    rule: rules.zodIsImportedWhole,
    breach: { 'shared/run.ts': `import { z } from 'zod'` },
  },
  {
    sentence: 'processes are started in one file',
    rule: rules.importedOnlyIn(['node:child_process', 'child_process', 'execa'], ['adapters/process.ts'], 'types too'),
    breach: { 'adapters/agents/codex.ts': `import { spawn } from 'node:child_process'` },
  },
  {
    sentence: 'the database is opened in the stores only',
    rule: rules.importedOnlyIn(['node:sqlite'], ['electron/stores/'], 'types too'),
    breach: { 'electron/compose.ts': `import { DatabaseSync } from 'node:sqlite'` },
  },
  {
    sentence: 'three files know Electron',
    rule: rules.importedOnlyIn(
      ['electron', 'electron/main', 'electron/renderer', 'electron/common'],
      ['electron/shells/electron.ts', 'electron/main.ts', 'electron/preload.ts'],
      'types too',
    ),
    breach: { 'electron/stores/settings.ts': `import { app } from 'electron'` },
  },
  {
    sentence: 'one file knows electron-store',
    rule: rules.importedOnlyIn(['electron-store'], ['electron/shells/electron.ts'], 'types too'),
    breach: { 'electron/compose.ts': `import Store from 'electron-store'` },
  },
  {
    sentence: 'machines run in wiring and supervisors only',
    rule: rules.importedOnlyIn(
      ['xstate'],
      ['machines/', 'electron/wiring/', 'electron/supervisors/', 'renderer/charts/lay-out.ts'],
      'types anywhere',
    ),
    breach: { 'electron/handlers/run.ts': `import { createActor } from 'xstate'` },
  },
  {
    sentence: 'there is one door for calls from the window',
    rule: rules.saidOnlyIn(/\bipcMain\b/, ['electron/door.ts', 'electron/shells/electron.ts']),
    breach: { 'electron/handlers/run.ts': `ipcMain.handle('run.start', start)` },
  },
  {
    sentence: 'the window has one way out',
    rule: rules.saidOnlyIn(/\bipcRenderer\b/, ['electron/preload.ts']),
    breach: { 'renderer/app.tsx': `ipcRenderer.invoke('run.start')` },
  },
  {
    sentence: 'one file of the window knows the bridge',
    rule: rules.saidOnlyIn(/\b(?:window|globalThis)(?:\.|\?\.)parley\b|\[["']parley["']\]/, ['renderer/bridge.ts']),
    breach: { 'renderer/app.tsx': `window.parley.run.start()` },
  },
  ...[
    `const now = Date.now()`,
    `on: { 'run.stop': { guard: ({ context }) => context.open, target: 'stopped' } }`,
    `entry: assign({ tries: 0 })`,
    `on: { 'run.stop': { actions: [(_, event) => keep(event)] } }`,
    `waiting: { after: { 1000: 'expired' } }`,
  ].map((code) => ({
    sentence: `machines only decide, so none says ${code}`,
    rule: rules.machinesOnlyDecide,
    breach: { 'machines/run.ts': code },
  })),
  {
    sentence: 'exports have names',
    rule: rules.exportsHaveNames,
    breach: { 'renderer/app.tsx': `export default function App() {}` },
  },
  {
    sentence: 'every export is imported somewhere',
    rule: rules.everyExportIsUsed,
    breach: { 'shared/ids.ts': `export const newId = 1`, 'shared/run.ts': `import { oldId } from './ids.ts'` },
  },
  {
    sentence: 'nothing refers to what is outside the project',
    rule: rules.theProjectStandsAlone,
    breach: { 'docs/tour.md': ['see ', 'root', 'notes'].join('/') },
  },
  {
    sentence: 'files stay short',
    rule: rules.filesStayShort,
    breach: { 'shared/run.ts': 'const a = 1\n'.repeat(301) },
  },
  {
    sentence: 'lines stay short',
    rule: rules.linesStayShort,
    breach: { 'shared/run.ts': 'a'.repeat(121) },
  },
  {
    sentence: 'code needs no semicolons',
    rule: rules.codeNeedsNoSemicolons,
    breach: { 'shared/run.ts': `const a = 1;` },
  },
  {
    sentence: 'tests fake our own ports, never modules or globals',
    rule: rules.fakesAreOurOwn,
    breach: { 'tests/electron/door.test.ts': `vi.mock('electron')` },
  },
]

describe('the project', () => {
  const project = readProject()
  const distinct = [...new Map(laws.map((law) => [law.rule, law])).values()]

  test.each(distinct)('$sentence', ({ rule }) => {
    expect(rule(project)).toEqual([])
  })

  test('has at its top the seven folders, its papers and configuration', () => {
    expect(rules.strangersAtTheTop(topLevel())).toEqual([])
  })
})

describe('a breach is noticed', () => {
  test.each(laws)('of: $sentence', ({ rule, breach }) => {
    expect(rule(Object.entries(breach).map(([path, text]) => sourceFile(path, text)))).not.toEqual([])
  })

  test('of: the top of the project holds nothing else', () => {
    expect(rules.strangersAtTheTop(['electron', 'scripts', 'tsconfig.build.json', '.ci', 'index.ts'])).toEqual([
      'scripts',
      'index.ts',
    ])
  })
})
