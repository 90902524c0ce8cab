import { compose } from '../../electron/compose.ts'
import { FakeAdapter } from '../fakes/fake-adapter.ts'
import { benchOptions } from './bench-options.ts'

// begins so many runs, each with an agent that speaks, and ends as a crash does: nothing is closed
const [folder = '', count = '0'] = process.argv.slice(2)
const composition = compose({
  ...benchOptions(folder, { slots: Number(count) }),
  adapters: () => [new FakeAdapter(async ({ say, hang }) => {
    say('The first words of an answer. ')
    await hang()
  })],
})
const speaking = new Set<string>()
const allSpeak = Promise.withResolvers<void>()
composition.onPush((topic, body) => {
  if (topic !== 'output.added' || !('rows' in body) || !('runId' in body)) return
  speaking.add(body.runId)
  if (speaking.size === Number(count)) allSpeak.resolve()
})
await composition.start()
for (let index = 0; index < Number(count); index += 1) {
  const { conversationId } = await composition.handlers['conversation.create']({
    kind: 'group', name: `Talk ${index}`, members: ['rehearsal:bold', 'rehearsal:careful', 'rehearsal:sceptic'],
    workdir: folder, allowWrite: false, settings: null,
  })
  await composition.handlers['message.send']({
    conversationId, text: `Question ${index}`, targets: null, settings: null, unlimitedConfirmed: false,
  })
}
await allSpeak.promise
process.kill(process.pid, 'SIGKILL')
