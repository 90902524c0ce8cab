import { methods, RequestError, type ClientConnection } from '@agentclientprotocol/sdk'
import * as z from 'zod'
import { AppError } from '../../../shared/errors.ts'
import type { AcpAgent } from './agent.ts'

/** What a new or loaded session offers to set: modes, options, or modes as one of the options. */
export const SessionOffer = z.object({
  sessionId: z.string().min(1).max(500),
  modes: z
    .object({ availableModes: z.array(z.object({ id: z.string() })) })
    .nullish()
    .catch(null),
  configOptions: z
    .array(z.unknown())
    .nullish()
    .catch(null)
    .transform((options) => (options ?? []).flatMap((option) => Choice.safeParse(option).data ?? [])),
})
export type SessionOffer = z.infer<typeof SessionOffer>

/**
 * Sets the mode and the options that this agent's data asks for, and returns the mode that stands then; `null` where
 * none is offered. Throws `agent.not-read-only` where it may only read and no mode keeps it to that, and
 * `agent.incompatible` where it does not take up what it was told.
 */
export const settleSession = async (
  data: Pick<AcpAgent, 'modes' | 'options'>,
  allowWrite: boolean,
  { offer, agent }: { offer: SessionOffer; agent: ClientConnection['agent'] },
): Promise<string | null> => {
  for (const { id, value } of data.options ?? []) {
    const option = offer.configOptions.find((each) => each.id === id)
    if (option?.values.includes(value)) await choose(agent, offer.sessionId, { id, value })
  }
  const wanted = data.modes[allowWrite ? 'write' : 'readOnly']
  const modeIds = offer.modes?.availableModes.map(({ id }) => id)
  const modeId = pick(wanted, modeIds)
  if (modeId !== undefined) {
    const enter = (mode: string) =>
      agent.request(methods.agent.session.setMode, { sessionId: offer.sessionId, modeId: mode })
    const other = pick(data.modes[allowWrite ? 'readOnly' : 'write'], modeIds)
    await enterMode(enter, modeId, other)
    return modeId
  }
  const option = offer.configOptions.find(isMode)
  const value = pick(wanted, option?.values)
  if (option && value !== undefined) {
    await choose(agent, offer.sessionId, { id: option.id, value })
    return value
  }
  if (!allowWrite) throw new AppError('agent.not-read-only', 'The agent offers no mode that keeps it from writing.')
  return null
}

/** Some refuse to enter the mode that they are in, and tell of another one after a load: then it is entered anew. */
const enterMode = async (enter: (mode: string) => Promise<unknown>, mode: string, other: string | undefined) => {
  try {
    await enter(mode)
  } catch (error) {
    if (!(error instanceof RequestError) || other === undefined || other === mode) throw error
    await enter(other)
    await enter(mode)
  }
}

/** The mode that an update of the session speaks of; `null` where it speaks of something else. */
export const modeIn = (update: unknown): string | null => {
  const changed = ModeUpdate.safeParse(update)
  if (changed.success) return changed.data.currentModeId
  const value = OptionUpdate.safeParse(update).data?.configOptions.find(isMode)?.currentValue
  return typeof value === 'string' ? value : null
}

const isMode = ({ id, category }: { id: string; category?: unknown }) => category === 'mode' || id === 'mode'

const pick = (wanted: readonly string[], offered: readonly string[] = []) => wanted.find((id) => offered.includes(id))

const choose = async (
  agent: ClientConnection['agent'],
  sessionId: string,
  { id, value }: { id: string; value: string },
): Promise<void> => {
  const answer = await agent.request(methods.agent.session.setConfigOption, { sessionId, configId: id, value })
  const now = Chosen.safeParse(answer).data?.configOptions.find((option) => option.id === id)
  // it answers with what stands now: another value is a refusal
  if (now && now.currentValue !== value) throw new AppError('agent.incompatible', 'The agent keeps to another mode.')
}

const Value = z.object({ value: z.string() })
const Choice = z.object({
  id: z.string(),
  category: z.string().nullish().catch(null),
  options: z.array(z.unknown()),
}).transform(({ id, category, options }) => ({ id, category, values: options.flatMap(valuesIn) }))

/** Options stand alone or in named groups. */
const valuesIn = (option: unknown): string[] => {
  const alone = Value.safeParse(option)
  if (alone.success) return [alone.data.value]
  const group = z.object({ options: z.array(Value) }).safeParse(option)
  return group.success ? group.data.options.map(({ value }) => value) : []
}

const Chosen = z.object({
  configOptions: z.array(z.object({ id: z.string(), category: z.unknown().optional(), currentValue: z.unknown() })),
})
const ModeUpdate = z.object({ sessionUpdate: z.literal('current_mode_update'), currentModeId: z.string() })
const OptionUpdate = Chosen.extend({ sessionUpdate: z.literal('config_option_update') })
