import type { Persona } from '../../shared/agent.ts'
import { oneLine } from '../../shared/excerpt.ts'
import type { ReadPrompt } from '../../shared/read-prompt.ts'
import { hashOf, pick, type Material } from './material.ts'
import type { Stance } from './personas.ts'
import { fill } from './words.ts'

/** The paragraphs of one turn: those before a pretend check, if there is one, and those after it. */
interface Speech {
  opening: string[]
  rest: string[]
}

/** Words one turn from the question, the peers' last positions and the stance that was taken. */
export const wordTurn = (
  persona: Persona,
  prompt: ReadPrompt,
  material: Material,
  stance: Stance,
  forced: 'agree' | 'disagree' | null,
): Speech => {
  const { words } = material
  const number = hashOf(`${persona} ${prompt.round} ${material.subject}`)
  const values = {
    subject: material.subject,
    position: stance.position,
    term: material.terms[0],
    safeguard: material.safeguard,
    evidence: material.evidence,
  }
  const say = (lines: readonly [string, ...string[]]) => fill(pick(lines, number), values)
  const isFirst = prompt.kind === 'bootstrap' || prompt.kind === 'direct'
  return {
    opening: [
      ...(isFirst ? [words.label] : []),
      ...(prompt.round === 1 ? [say(words.restate)] : []),
      ...meetPeers(prompt, material, stance, number),
    ],
    rest: [
      ...(forced ? [words.forced[forced]] : []),
      `${say(words.stance[stance.manner])} ${say(words.because[stance.manner])}`,
      say(words.closing[prompt.consensus ? stance.choice : 'none']),
    ],
  }
}

/** One line that says what decided the vote. */
export const wordReason = (material: Material, { manner, position }: Stance): string =>
  fill(material.words.because[manner][0], {
    position,
    term: material.terms[0],
    safeguard: material.safeguard,
    evidence: material.evidence,
    subject: material.subject,
  })

const meetPeers = (prompt: ReadPrompt, { words }: Material, stance: Stance, number: number): string[] => {
  if (prompt.positions.length === 0) return prompt.peers.length > 0 && !prompt.blind ? [words.nobodyYet] : []
  const silent = prompt.positions
    .filter(({ position }) => position === null)
    .map(({ name, conclusion }) => words.silentPeer(name, oneLine(conclusion, 160)))
  const met = stance.reactions.map(({ group, reaction, evidence }, index) =>
    pick(words.react(reaction, group, evidence), number + index),
  )
  return [...met, ...silent]
}
