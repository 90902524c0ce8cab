import * as z from 'zod'
import { CustomAgentId, type AgentId } from './agent.ts'
import {
  customArgMaxCharacters,
  customArgsMax,
  customFieldMaxCharacters,
  customFileMaxCharacters,
  customModeMaxCharacters,
  customNameMaxCharacters,
  customVariableMaxCharacters,
  customVariablesMax,
} from './limits.ts'

const Name = z.string().refine((name) => CustomAgentId.safeParse(`custom:${name}`).success)
const File = z.string().min(1).max(customFileMaxCharacters)
const Args = z.array(z.string().max(customArgMaxCharacters)).max(customArgsMax).readonly()
const EnvNames = z.array(z.string().max(customVariableMaxCharacters)).max(customVariablesMax).readonly()
const Mode = z.string().max(customModeMaxCharacters)
const Field = z.string().max(customFieldMaxCharacters)

/** How an answer is found in what a program prints: all of it, or what stands in a field of its JSON. */
export const CustomOutput = z.discriminatedUnion('format', [
  z.strictObject({ format: z.literal('text') }),
  /** One object, or one on each line. A field inside another is named with a dot between. */
  z.strictObject({
    format: z.enum(['object', 'lines']),
    answerField: Field.min(1),
    /** Holds something only where the turn failed. */
    errorField: Field.nullable(),
  }),
])
export type CustomOutput = z.infer<typeof CustomOutput>

/** How a program of the person's own is spoken with. */
export const CustomSpeech = z.discriminatedUnion('transport', [
  z.strictObject({
    transport: z.literal('acp'),
    /** Ids of its session modes; without a read-only one it is not opened read-only. */
    modes: z.strictObject({ readOnly: Mode.nullable(), write: Mode.nullable() }),
  }),
  /** One process for each turn: the prompt on its stdin, the answer on its stdout. */
  z.strictObject({ transport: z.literal('one-shot'), output: CustomOutput }),
])
export type CustomSpeech = z.infer<typeof CustomSpeech>

/** A program that the person made an agent of. It stays in main. */
export const CustomAgentDefinition = z.strictObject({
  name: Name,
  /** Its full path. */
  file: File,
  args: Args,
  /** Names of variables that it gets besides those that every program gets. */
  envNames: EnvNames,
  speech: CustomSpeech,
})
export type CustomAgentDefinition = z.infer<typeof CustomAgentDefinition>

/** What the window asks to keep; it does not know what was kept before, and `null` leaves that as it is. */
export const CustomAgentWish = z.strictObject({
  /** The one to change; `null` makes a new one. */
  agent: CustomAgentId.nullable(),
  name: z.string().max(customNameMaxCharacters * 5),
  file: z.string().max(customFileMaxCharacters * 5).nullable(),
  args: z.array(z.string().max(customArgMaxCharacters * 5)).max(customArgsMax * 5).nullable(),
  envNames: z.array(z.string().max(customVariableMaxCharacters * 5)).max(customVariablesMax * 5).nullable(),
  speech: CustomSpeech,
})
export type CustomAgentWish = z.infer<typeof CustomAgentWish>

/** What the window may know of one: no path, no argument and no variable. */
export const CustomAgentView = z.object({
  agent: CustomAgentId,
  name: z.string(),
  /** The last part of the program's path. */
  program: z.string(),
  argCount: z.number().int().nonnegative(),
  variableCount: z.number().int().nonnegative(),
  speech: CustomSpeech,
})
export type CustomAgentView = z.infer<typeof CustomAgentView>

/** The id of the agent that a definition makes. */
export const idOfCustom = ({ name }: Pick<CustomAgentDefinition, 'name'>): AgentId =>
  CustomAgentId.parse(`custom:${name}`)

/** The definition without what is private in it. */
export const viewOfCustom = (definition: CustomAgentDefinition): CustomAgentView => ({
  agent: CustomAgentId.parse(idOfCustom(definition)),
  name: definition.name,
  program: definition.file.split(/[/\\]/).at(-1) ?? '',
  argCount: definition.args.length,
  variableCount: definition.envNames.length,
  speech: definition.speech,
})
