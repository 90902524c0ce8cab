import { threeAgents, TestOffice } from '../fakes/office.ts'
import { rehearsal } from './agents.ts'
import { journalAt, tellPushes } from './journal.ts'

/**
 * Works until it is killed: several conversations at once in the folder given, each sending one message after another,
 * and one that is made, spoken in and deleted again and again.
 */
const [folder = '', journal = ''] = process.argv.slice(2)
const tell = journalAt(journal)
const office = new TestOffice(rehearsal, folder)
await office.start()
tellPushes(office, tell)

const topics = ['Now or later? [[agree]]', 'Who asks? [[ask:bold@1]] [[agree]]', 'On and on. [[slow]]', 'A short one.']

const send = async (conversationId: string, topic: string) => {
  const text = `${crypto.randomUUID()} ${topic}`
  tell({ told: 'sending', conversationId, text })
  const { runId } = await office.handlers['message.send']({
    conversationId, text, targets: null, settings: null, unlimitedConfirmed: false,
  })
  tell({ told: 'accepted', conversationId, text })
  return runId
}

const speakOn = async (conversationId: string, first: number) => {
  for (let turn = first; ; turn += 1) {
    const runId = await send(conversationId, topics[turn % topics.length] ?? '')
    if (!runId) return
    if (turn % 5 === 0) await office.handlers['run.stop']({ runId }).catch(() => undefined)
    await office.until(async () => {
      for (const { gateId, options } of (await office.handlers['gate.list']({})).gates) {
        const optionId = options[0]?.optionId ?? ''
        await office.handlers['gate.answer']({ gateId, optionId, note: null }).then(
          () => tell({ told: 'answered', gateId, optionId }),
          () => undefined,
        )
      }
      return (await office.handlers['conversation.open']({ conversationId, before: null })).row.activeRunId === null
    }, 60_000)
  }
}

const comeAndGo = async () => {
  for (;;) {
    const conversationId = await office.chat('rehearsal:sceptic')
    const runId = await send(conversationId, 'To be deleted. [[agree]]')
    if (runId) await office.runEnds(runId)
    tell({ told: 'deleted', conversationId })
    await office.handlers['conversation.delete']({ conversationId })
  }
}

const groups = await Promise.all(
  [1, 2].map(() => office.group({ members: threeAgents.slice(0, 2), settings: { rounds: 2, blindFirst: true } })),
)
await Promise.all([...groups.map(speakOn), comeAndGo()])
