import { compose } from '../../electron/compose.ts'
import { testSettings, threeAgents } from './office.ts'
import { quietShell } from './quiet-shell.ts'

/**
 * Parley in a process of its own, to be killed: `node office-process.ts FOLDER TOPIC`.
 * Prints one JSON line once everybody has said something and a gate waits, then goes on until it is ended.
 */
const [folder = '', topic = ''] = process.argv.slice(2)

const office = compose({
  dataFolder: folder,
  shell: quietShell,
  env: process.env,
  settings: { read: () => testSettings, save: () => testSettings },
  version: '0.0.0',
  log: silent(),
})

let told = false
await office.start()
const { conversationId } = await office.handlers['conversation.create']({
  kind: 'group',
  name: 'To be killed',
  members: threeAgents,
  workdir: folder,
  allowWrite: false,
  settings: { rounds: 3, blindFirst: true },
})
const { runId } = await office.handlers['message.send']({
  conversationId,
  text: topic,
  targets: null,
  settings: null,
  unlimitedConfirmed: false,
})
office.onPush(() => void tell())
await tell()

async function tell() {
  if (told || !runId) return
  const { turns } = await office.handlers['run.open']({ runId })
  const { gates } = await office.handlers['gate.list']({})
  if (turns.length < threeAgents.length || turns.some(({ text }) => text === '') || gates.length === 0 || told) return
  told = true
  const { gateId, expiresAt } = gates[0] ?? {}
  process.stdout.write(
    `${JSON.stringify({ conversationId, runId, gateId, expiresAt, texts: turns.map(({ text }) => text) })}\n`,
  )
}

function silent() {
  const log = {
    info: () => undefined,
    warn: () => undefined,
    error: () => undefined,
    for: () => log,
    close: async () => undefined,
  }
  return log
}
