import { RequestError } from '@agentclientprotocol/sdk'
import type { Persona } from '../../shared/agent.ts'
import { nameOfAgent } from '../../shared/agent.ts'
import { oneLine } from '../../shared/excerpt.ts'
import { positionMaxCharacters } from '../../shared/limits.ts'
import { readPrompt, type ReadPrompt } from '../../shared/read-prompt.ts'
import { writeVote } from '../../shared/vote-text.ts'
import { readDirectives, verbsFor, type DirectiveVerb } from './directives.ts'
import { readMaterial, type Material } from './material.ts'
import { forceStance, takeStance, type Stance } from './personas.ts'
import { wordReason, wordTurn } from './speech.ts'
import type { Permission, Stage } from './stage.ts'
import type { Words } from './words.ts'

interface Performance {
  persona: Persona
  stage: Stage
  /** From now on signals, the end of input and cancelling are ignored. */
  turnDeaf: () => void
}

interface Scene {
  persona: Persona
  prompt: ReadPrompt
  material: Material
  verbs: ReadonlySet<DirectiveVerb>
}

/** One turn of the rehearsal: everything it does follows from the prompt's text. */
export const perform = async ({ persona, stage, turnDeaf }: Performance, text: string): Promise<void> => {
  const given = readPrompt(text)
  const { directives, topic } = readDirectives(given.topic)
  const prompt = { ...given, topic }
  const verbs = verbsFor(directives, persona, prompt.round)
  const material = readMaterial(topic)
  const scene: Scene = { persona, prompt, material, verbs }
  await begin(stage, scene)
  await disturb(stage, scene, turnDeaf)
  await speak(stage, scene)
}

/** A thought, a plan and a look at the question, as any agent would begin; one that goes on has done that before. */
const begin = async (stage: Stage, { persona, prompt, material }: Scene) => {
  const { words, subject, terms, wordCount } = material
  await stage.think(words.thought(nameOfAgent(`rehearsal:${persona}`).name, subject))
  await stage.plan(words.plan, prompt.kind === 'resumption' ? 2 : 0)
  if (prompt.kind === 'resumption') return
  await stage.rest(beginningMs)
  await stage.tool('look', { title: words.lookTitle(terms[0]), kind: 'read' })
  await stage.rest(beginningMs)
  await stage.toolEnds('look', 'completed', words.lookResult(wordCount, terms))
  await stage.plan(words.plan, 1)
}

const disturb = async (stage: Stage, { verbs, material }: Scene, turnDeaf: () => void) => {
  const { words, subject } = material
  const first = words.firstSentence(subject)
  if (verbs.has('fail')) {
    await stage.say(first, beginningMs)
    throw RequestError.internalError({ status: 500, details: 'a directive in the topic asked for a failure' })
  }
  if (verbs.has('ignore-signals')) {
    turnDeaf()
    await stage.say(first, beginningMs)
    await new Promise<never>(() => {})
  }
  if (verbs.has('hang')) {
    await stage.say(first, beginningMs)
    await stage.restForEver()
  }
  if (verbs.has('flood')) await flood(stage)
  if (verbs.has('slow')) await dawdle(stage, words)
}

const flood = async (stage: Stage) => {
  for (let index = 1; index <= floodUpdates; index += 1) await stage.sendText(`${index % 10}`)
  await stage.sendText('#'.repeat(floodLineCharacters))
  await stage.sendText('\n\n')
}

const dawdle = async (stage: Stage, words: Words) => {
  for (let second = 1; second <= slowSeconds; second += 1) {
    await stage.sendText(words.heartbeat(second))
    await stage.rest(1_000)
  }
  await stage.sendText('\n\n')
}

const speak = async (stage: Stage, scene: Scene) => {
  const { persona, prompt, material, verbs } = scene
  const { words } = material
  const forced = verbs.has('agree') ? 'agree' : verbs.has('disagree') ? 'disagree' : null
  const taken = takeStance(persona, prompt, material)
  const stance = forced ? forceStance(taken, forced, prompt) : taken
  const { opening, rest } = wordTurn(persona, prompt, material, stance, forced)
  const whole = paceOf([...opening, ...rest].join('\n\n'))
  const goesOn = prompt.kind === 'resumption'
  await stage.say((goesOn ? [words.goesOn] : opening).join('\n\n'), whole / 2)
  await stage.plan(words.plan, 2)
  const asked = await askPerson(stage, scene)
  // whatever a client does between two messages, these are paragraphs of one
  await stage.say(['', ...asked, ...rest].join('\n\n'), whole / 2)
  await stage.plan(words.plan, 3)
  if (prompt.nonce !== null) await stage.say(`\n\n${writeVote(prompt.nonce, voteOf(material, stance))}`, votingMs)
}

/** What is said about a question to the person. One that was decided while this agent was away is not asked again. */
const askPerson = async (stage: Stage, { persona, prompt, material, verbs }: Scene): Promise<string[]> => {
  const { words, evidence, wordCount, terms } = material
  // the one scripted situation: the careful one wants to check something in round two
  const isCheck = persona === 'careful' && prompt.round === 2 && prompt.consensus
  if (!isCheck && !verbs.has('ask') && !prompt.decision) return []
  const title = isCheck ? words.checkTitle(terms[0]) : words.askTitle(terms[0])
  const permission = prompt.decision ?? (await askFor(stage, title, isCheck ? evidence : terms[0]))
  const isGranted = permission.effect === 'grant'
  const result = isGranted ? words.checkGranted(evidence, wordCount) : words.checkDenied(evidence)
  if (isGranted) await stage.tool('check', { title, kind: 'execute' })
  if (isGranted) await stage.toolEnds('check', 'completed', oneLine(result, 400))
  const said = isCheck ? result : isGranted ? words.askGranted : words.askDenied
  return [said, ...(permission.note ? [words.note(oneLine(permission.note, 200))] : [])]
}

const askFor = async (stage: Stage, title: string, subject: string): Promise<Permission> => {
  const call = { title, kind: 'execute' } as const
  await stage.tool('check', call)
  const rawInput = { command: `pretend-check "${subject}"` }
  const permission = await stage.ask({ toolCallId: 'check', ...call, rawInput })
  if (permission.effect === 'deny') await stage.toolEnds('check', 'failed', '')
  return permission
}

const voteOf = (material: Material, stance: Stance) => ({
  choice: stance.choice,
  position: stance.position,
  changed: stance.changed,
  why: oneLine(wordReason(material, stance), positionMaxCharacters),
})

/** How long a whole turn takes to say, at a pace of one. */
const paceOf = (text: string): number => Math.min(4_000, Math.max(1_500, text.length * 5))

const beginningMs = 250
const votingMs = 150
const floodUpdates = 5_000
const floodLineCharacters = 3_000_000
const slowSeconds = 60
