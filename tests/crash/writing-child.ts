import { writeSync } from 'node:fs'
import { openStores } from '../../electron/stores/open.ts'
import { attempt, conversation, event, output, run, text } from '../electron/stores/records.ts'

/** Writes into the folder given until it is killed, and says the number of each cut once that cut is durable. */
const stores = openStores(process.argv[2] ?? '')
const task = run('run-one', 'conversation-one')
if (!stores.conversations.get('conversation-one')) stores.conversations.create(conversation('conversation-one'))
stores.accept({
  message: { messageId: task.messageId, conversationId: 'conversation-one', text: task.topic, at: 1 },
  run: task,
})
if (!stores.attempts.get('attempt-one')) stores.attempts.put(attempt('attempt-one', task, { tries: 0 }))
writeSync(1, 'ready\n')

for (let seq = stores.ledger.lastSeq('run-one') + 1; ; seq += 1) {
  stores.outputs.append(output('attempt-one', [text(`${seq} `)], seq))
  stores.ledger.commit({
    runs: [{ ...task, round: seq }],
    attempts: [attempt('attempt-one', task, { tries: seq })],
    events: [event('run-one', seq)],
    snapshots: [
      {
        rootId: 'run-one',
        machine: 'run',
        version: 1,
        snapshot: JSON.stringify({ seq, filler: 'x'.repeat(4_000) }),
        live: true,
      },
    ],
  })
  writeSync(1, `${seq}\n`)
}
