import { parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LaunchRecorder } from './live-process.ts'
import { startOutside } from './process.ts'

/** Told of every launch; ends what is left of them if we are killed. */
interface Guard extends LaunchRecorder {
  /** Lets it go at an orderly end. */
  end(): void
}

/**
 * The one process that outlives us if we are killed, to end what we leave behind. One for all launches, beside them: a
 * supervisor between us and each agent would cost every turn the start of another Node. It is started by the first
 * launch.
 */
export const guardLaunches = (): Guard => {
  let guard: Outsider | null = null
  return {
    launched: ({ token, pid, startTime }) => {
      guard ??= startGuard()
      guard.stdin?.write(`watch ${token} ${pid} ${encodeURIComponent(startTime)}\n`)
    },
    gone: ({ token }) => {
      guard?.stdin?.write(`forget ${token}\n`)
    },
    end: () => {
      guard?.stdin?.end()
      guard = null
    },
  }
}

type Outsider = ReturnType<typeof startOutside>

const startGuard = (): Outsider => {
  const script = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? './guard.ts' : './guard.js', import.meta.url))
  const guard = startOutside(process.execPath, ['--disable-warning=ExperimentalWarning', script], {
    // under Electron the same program is a Node when it is told so
    env: { PATH: process.env.PATH, SYSTEMROOT: process.env.SYSTEMROOT, ELECTRON_RUN_AS_NODE: '1' },
    // it stands in nobody's folder
    cwd: parse(process.execPath).root,
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: process.platform !== 'win32',
  })
  // without a guard what is left behind is ended by the next start
  guard.on('error', () => {}).unref()
  guard.stdin?.on('error', () => {})
  return guard
}
