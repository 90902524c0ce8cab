import * as z from 'zod'

/** One answer of the pretended model. `run`, `write` and `call` are tool calls; the next step follows their result. */
export const Step = z.strictObject({
  think: z.string().optional(),
  say: z.string().optional(),
  run: z.string().optional(),
  write: z.strictObject({ path: z.string(), content: z.string() }).optional(),
  call: z.strictObject({ tool: z.string(), input: z.record(z.string(), z.unknown()) }).optional(),
  /** Milliseconds between two pieces of `say`. */
  pause: z.number().optional(),
})
export type Step = z.infer<typeof Step>

/** What a request to the model is about, whichever protocol it came by. */
export interface Asked {
  /** Every message of a person, oldest first. */
  prompts: readonly string[]
  /** How many tool results have followed the last prompt that has a script. */
  results: number
  offersTools: boolean
  /** Whether the answer is wanted in pieces. */
  streams: boolean
  /** Whether the answer must be JSON of a schema, as Gemini's choice of a model is. */
  wantsJson?: boolean
}

/** The steps that a prompt carries: `Script: [{"say":"Hello."}]`, up to the end of the line. */
export const script = (...steps: Step[]): string => `Script: ${JSON.stringify(steps)}`

/** Answers with the step that is due by the script of the newest prompt that has one. */
export const nextStep = ({ prompts, results }: Asked): Step => {
  const steps = prompts
    .toReversed()
    .map(readScript)
    .find((found) => found !== null)
  if (!steps) return { say: `I have no script, after ${prompts.length} prompts.` }
  return steps[results] ?? { say: `My script is over, after ${results} results.` }
}

/**
 * Answers a prompt of a discussion with a vote. `codeWord` finds the attempt's code word as its first group.
 * A prompt without one is left to its script.
 */
export const voter =
  (vote: { choice: 'agree' | 'continue'; position: string }, codeWord = codeWordLine) =>
  (asked: Asked): Step | null => {
    const found = asked.prompts
      .toReversed()
      .map((prompt) => codeWord.exec(prompt)?.[1])
      .find((word) => word !== undefined)
    if (!found) return null
    const ballot = { ...vote, changed: false, why: 'It is what the script says.' }
    return {
      say: `I stand for ${vote.position}.\n\n[[parley-vote ${found}]] ${JSON.stringify(ballot)} [[/parley-vote]]`,
    }
  }

export const hasScript = (prompt: string): boolean => prompt.includes('Script: [')

const codeWordLine = /Put this code word in the place of CODE: (\S+)/

const readScript = (prompt: string): Step[] | null => {
  const line = /Script: (\[.*\])/.exec(prompt)?.[1]
  return line === undefined ? null : z.array(Step).parse(JSON.parse(line))
}
