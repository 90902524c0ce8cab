import * as z from 'zod'
import { Persona } from '../../shared/agent.ts'

export const DirectiveVerb = z.enum(['fail', 'hang', 'ignore-signals', 'flood', 'slow', 'ask', 'agree', 'disagree'])
export type DirectiveVerb = z.infer<typeof DirectiveVerb>

interface Directive {
  verb: DirectiveVerb
  /** `null` is everyone. */
  persona: Persona | null
  /** `null` is every round. */
  round: number | null
}

/** Finds `[[verb:persona@round]]` in a topic and gives the topic without them. */
export const readDirectives = (topic: string): { directives: Directive[]; topic: string } => {
  const directives: Directive[] = []
  const plain = topic.replaceAll(pattern, (whole, word: string, who: string | undefined, when: string | undefined) => {
    const verb = DirectiveVerb.safeParse(word)
    const persona = Persona.optional().safeParse(who)
    if (!verb.success || !persona.success) return whole
    directives.push({ verb: verb.data, persona: persona.data ?? null, round: when === undefined ? null : Number(when) })
    return ''
  })
  return { directives, topic: plain.replaceAll(/[ \t]{2,}/g, ' ').trim() }
}

/** What this persona is told to do in this round. */
export const verbsFor = (directives: readonly Directive[], persona: Persona, round: number): Set<DirectiveVerb> =>
  new Set(
    directives
      .filter((each) => (each.persona ?? persona) === persona && (each.round ?? round) === round)
      .map(({ verb }) => verb),
  )

const pattern = /\[\[\s*([a-z-]+)(?::([a-z]+))?(?:@(\d{1,3}))?\s*\]\]/g
