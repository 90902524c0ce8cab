import { writeSync } from 'node:fs'
import { openStores } from '../../electron/stores/open.ts'
import { pngOf } from '../fakes/small-images.ts'
import { conversation } from '../electron/stores/records.ts'

/** Adds and removes images until it is killed, and says the id of each once it is kept; every second one is removed. */
const stores = openStores(process.argv[2] ?? '')
if (!stores.conversations.get('conversation-one')) stores.conversations.create(conversation('conversation-one'))
for (const { imageId } of stores.images.ofDraft('conversation-one')) stores.images.remove('conversation-one', imageId)
writeSync(1, 'ready\n')

for (let number = 1; ; number += 1) {
  const [kept, removed] = [0, 1].map((colour) =>
    stores.images.add({
      conversationId: 'conversation-one',
      note: {
        imageId: `image-${process.pid}-${number}-${colour}`, name: 'a.png', mime: 'image/png', width: 9, height: 9,
      },
      content: pngOf(9, 9, () => [number % 256, colour, process.pid % 256]),
    }))
  writeSync(1, `${kept?.imageId}\n`)
  stores.images.remove('conversation-one', removed?.imageId ?? '')
  if (number % 3 === 0) stores.images.remove('conversation-one', kept?.imageId ?? '')
  const waiting = stores.images.ofDraft('conversation-one')
  if (waiting.length > 5) for (const { imageId } of waiting) stores.images.remove('conversation-one', imageId)
}
