import { defineConfig } from 'vitest/config'

const minute = 60_000
/** Tests that spend seconds on processes of their own: too long for each commit. */
const children = 'tests/{adapters,electron}/**/*.children.test.ts'

/** Tests that turn the clock by hand: each file has a world of its own, so that no clock stays turned for another. */
const clocks = [
  'tests/electron/pushes.test.ts',
  'tests/electron/turns/turn-recorder.test.ts',
  'tests/electron/supervisors/{recorder,upkeep,awake-clock}.test.ts',
]

export default defineConfig({
  test: {
    reporters: ['default', './tests/reporter.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          include: ['tests/{shared,machines,adapters,electron}/**/*.test.ts', 'tests/*.test.ts'],
          exclude: [children, ...clocks],
          environment: 'node',
          pool: 'threads',
          // these tests share no globals and mock no modules, and so are spared a new world for each file
          isolate: false,
          // most of them wait for processes of their own
          maxWorkers: 2,
          testTimeout: minute / 4,
        },
      },
      {
        extends: true,
        test: {
          name: 'clocks',
          include: clocks,
          environment: 'node',
          pool: 'threads',
          maxWorkers: 2,
          testTimeout: minute / 4,
        },
      },
      {
        extends: true,
        test: {
          name: 'children',
          include: [children],
          environment: 'node',
          pool: 'threads',
          isolate: false,
          // beside the flows: both mostly wait for processes, more of them than there are processors
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          testTimeout: minute / 4,
        },
      },
      {
        extends: true,
        test: {
          name: 'renderer',
          include: ['tests/renderer/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
          pool: 'threads',
          maxWorkers: 2,
          testTimeout: minute / 4,
        },
      },
      {
        extends: true,
        test: {
          name: 'flows',
          include: ['tests/{flows,crash}/**/*.test.ts'],
          environment: 'node',
          pool: 'forks',
          maxWorkers: 3,
          testTimeout: minute,
          hookTimeout: minute,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'window',
          include: ['tests/window/**/*.test.ts'],
          environment: 'node',
          pool: 'forks',
          fileParallelism: false,
          testTimeout: minute,
          hookTimeout: minute,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'agents',
          include: ['tests/agents/**/*.test.ts'],
          environment: 'node',
          pool: 'forks',
          // they mostly wait, for processes to start and for minutes to pass
          maxWorkers: 2,
          testTimeout: 5 * minute,
          hookTimeout: 10 * minute,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
})
