import { nameOfAgent } from '../../shared/agent.ts'
import type { Conversation } from '../../shared/conversation.ts'
import { nameMaxCharacters } from '../../shared/limits.ts'

export const newGroupName = 'New group'

const topicNameCharacters = 60

/** The name that a first message gives to a conversation nobody has named; `null` to leave the name as it is. */
export const nameFromTopic = ({ name, members }: Conversation, topic: string): string | null => {
  const given = members[0] ? nameOfAgent(members[0]).name : newGroupName
  if (name !== newGroupName && name !== given) return null
  const line = topic
    .replaceAll(/\[\[[^\]]*\]\]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  if (!line) return null
  return line.length <= topicNameCharacters ? line : `${cutAtWord(line)}…`.slice(0, nameMaxCharacters)
}

const cutAtWord = (line: string): string => {
  const cut = line.slice(0, topicNameCharacters)
  const space = cut.lastIndexOf(' ')
  return space > topicNameCharacters / 2 ? cut.slice(0, space) : cut
}
