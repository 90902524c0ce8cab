import { methods, type ClientConnection } from '@agentclientprotocol/sdk'
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
 * Sets the mode and the options that this agent's data asks for. Throws `agent.incompatible` where it may only read
 * and no mode keeps it to that, or where it does not take up what it was told.
 */
export const settleSession = async (
  data: Pick<AcpAgent, 'modes' | 'options'>,
  allowWrite: boolean,
  { offer, agent }: { offer: SessionOffer; agent: ClientConnection['agent'] },
): Promise<void> => {
  for (const { id, value } of data.options ?? []) {
    const option = offer.configOptions.find((each) => each.id === id)
    if (option?.values.includes(value)) await choose(agent, offer.sessionId, { id, value })
  }
  const wanted = data.modes[allowWrite ? 'write' : 'readOnly']
  const modeId = pick(wanted, offer.modes?.availableModes.map(({ id }) => id))
  if (modeId !== undefined) {
    await agent.request(methods.agent.session.setMode, { sessionId: offer.sessionId, modeId })
    return
  }
  const option = offer.configOptions.find(({ id, category }) => category === 'mode' || id === 'mode')
  const value = pick(wanted, option?.values)
  if (option && value !== undefined) return choose(agent, offer.sessionId, { id: option.id, value })
  if (!allowWrite) throw new AppError('agent.incompatible', 'The agent offers no mode that keeps it from writing.')
}

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
  configOptions: z.array(z.looseObject({ id: z.string(), currentValue: z.unknown() })),
})
