import type { Act } from '../../fakes/tape.ts'
import { dialectOf, type Dialect } from '../../fakes/dialects.ts'
import { claudeStage, codexStage, replay, type Replayed } from './replay.ts'

export type PipeDialect = 'codex' | 'claude'

export const speaker = (name: PipeDialect): Dialect => {
  const dialect = dialectOf(name, 's')
  // a turn of codex has begun before anything of it is told
  dialect.read(name === 'codex' ? { id: 1, method: 'turn/start' } : { type: 'user' })
  return dialect
}

export const linesOf = (name: PipeDialect, acts: readonly Act[]): string[] => {
  const dialect = speaker(name)
  return acts.flatMap((act) => dialect.tell(act).map((message) => JSON.stringify(message)))
}

/** One turn heard from bytes that arrive in these pieces, without a process. */
export const hearTurn = async (name: PipeDialect, pieces: readonly (string | Buffer)[]): Promise<Replayed> => {
  const stage = name === 'codex' ? codexStage('thread-1', true) : claudeStage('s', true)
  const scenes = [
    { does: 'prompt', turnId: 'turn-1' } as const,
    ...pieces.map((prints) => ({ prints })),
    { exits: { code: 1, signal: null, stderr: '' } },
  ]
  const [turn] = await replay(stage, scenes, 'whole')
  if (!turn) throw new Error('no turn was heard')
  return turn
}
