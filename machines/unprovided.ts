import { fromCallback, type EventObject } from 'xstate'
import { AppError } from '../shared/errors.ts'

/** What a restart does to an actor: `outside` is fenced and never begun again; the others simply run again. */
export type ActorKind = 'outside' | 'ledger' | 'clock' | 'machine'

/** A blank: an effect that a machine names and types, and main fills in. Unfilled, it fails with a code of its own. */
export const unprovided = <Received extends EventObject, Input>(actor: string) =>
  fromCallback<Received, Input>(() => {
    throw new AppError('machine.not-provided', `No implementation was provided for actor "${actor}".`)
  })
