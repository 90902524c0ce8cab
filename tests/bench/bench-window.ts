import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { openRealWindow } from '../window/real-window.ts'
import type { AgentKind } from '../../shared/agent.ts'
import type { Input } from '../../shared/ipc.ts'
import { FakeAdapter, type Script } from '../fakes/fake-adapter.ts'

export type BenchWindow = Awaited<ReturnType<typeof openRealWindow>>

/** Four agents of four makers, so that each has a slot and a place of its own. */
export const fourKinds = ['claude', 'codex', 'gemini', 'qwen'] as const satisfies readonly AgentKind[]

/** Builds the window as it is shipped. */
export const buildWindow = () => {
  const vite = fileURLToPath(new URL('../../node_modules/vite/bin/vite.js', import.meta.url))
  for (const mode of [[], ['--mode', 'preload']]) {
    execFileSync(process.execPath, [vite, 'build', '--logLevel', 'error', ...mode], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }
}

/** The window in a headless browser, over a folder, with agents that say what the bench wants. */
export const openBenchWindow = async (folder: string, script: Script): Promise<BenchWindow> => {
  buildWindow()
  const window = await openRealWindow({ folder, agents: fourKinds.map((kind) => new FakeAdapter(script, { kind })) })
  window.page.setDefaultTimeout(60_000)
  return window
}

/** A new conversation in the window's folder, brought in sight. */
export const showConversation = async (
  { page, composition, folder }: BenchWindow,
  more: Pick<Input<'conversation.create'>, 'kind' | 'members'>,
): Promise<string> => {
  const { conversationId } = await composition.handlers['conversation.create']({
    ...more, name: 'Measured', workdir: folder, allowWrite: false, settings: { rounds: 1, blindFirst: true },
  })
  await page.getByRole('button', { name: /Measured/ }).first().click()
  await page.getByRole('textbox', { name: 'Message' }).waitFor()
  return conversationId
}

/** Sends a message there and gives back at once. */
export const ask = async ({ composition }: BenchWindow, conversationId: string): Promise<void> => {
  await composition.handlers['message.send']({
    conversationId, text: 'Say all that you can.', targets: null, settings: null, unlimitedConfirmed: false,
  })
}

/** How long the page's own thread and this process have worked since the bench began; what else runs adds nothing. */
export const workMeter = async ({ page }: BenchWindow) => {
  const protocol = await page.context().newCDPSession(page)
  await protocol.send('Performance.enable', { timeDomain: 'threadTicks' })
  return async () => {
    const { metrics } = await protocol.send('Performance.getMetrics')
    const seconds = metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
    const { user, system } = process.cpuUsage()
    return { page: seconds * 1_000, main: (user + system) / 1_000 }
  }
}
