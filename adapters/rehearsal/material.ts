import { oneLine } from '../../shared/excerpt.ts'
import { chinese } from './chinese.ts'
import { english } from './english.ts'
import type { Words } from './words.ts'

/** What a topic gives to talk about: the same topic gives everybody the same. */
export interface Material {
  words: Words
  /** The question in one line, with the mark it ends with. */
  subject: string
  /** One decisive answer. */
  proposal: string
  /** The same in small, for whoever is asked first and is careful. */
  trial: string
  /** What would make a mistake bearable. */
  safeguard: string
  /** What would have to be seen first. */
  evidence: string
  /** The topic's own terms, the most telling first. */
  terms: readonly [string, ...string[]]
  wordCount: number
}

export const readMaterial = (topic: string): Material => {
  const words = isChinese(topic) ? chinese : english
  const subject = oneLine(firstSentence(topic) || words.emptySubject, subjectMaxCharacters)
  const [first = oneLine(bare(subject), termMaxCharacters), ...rest] = words.terms(topic, subject).map(short)
  const terms = [first, ...rest] as const
  const number = hashOf(topic)
  const core = words.core(subject)
  return {
    words,
    subject,
    proposal: oneLine(pick(words.propose(core), number), proposalMaxCharacters),
    trial: oneLine(words.trial(core), proposalMaxCharacters),
    safeguard: pick(words.safeguards(terms), number),
    evidence: pick(words.evidence(terms), number >>> 3),
    terms,
    wordCount: words.count(topic),
  }
}

/** Chooses one of several in a way that only depends on `number`. */
export const pick = <Item>(items: readonly [Item, ...Item[]], number: number): Item =>
  items[number % items.length] ?? items[0]

/** A small stable number for a text (FNV-1a). */
export const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0
  return hash
}

const isChinese = (text: string): boolean => {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0
  return han > 0 && han * 2 >= (text.match(/\p{L}/gu)?.length ?? 0) / 2
}

/** The first question if there is one, else the first sentence. */
const firstSentence = (topic: string): string => {
  const parts = topic.split(/(?<=[.!?。！？])(?:\s+|(?=\p{Script=Han}))|\n+/u)
  const sentences = parts.map((part) => part.trim()).filter(Boolean)
  const telling = sentences.filter((part) => /[\p{L}\p{N}]/u.test(part))
  const sentence = telling.find((part) => /[?？]$/.test(part)) ?? telling[0] ?? ''
  return sentence.replace(/^[#>*\-\s]+/, '')
}

const bare = (sentence: string): string => sentence.replace(/[\s.!?。！？:：]+$/, '')
const short = (term: string): string => oneLine(term, termMaxCharacters)

const subjectMaxCharacters = 110
/** Leaves room in a position for one condition. */
const proposalMaxCharacters = 130
const termMaxCharacters = 28
