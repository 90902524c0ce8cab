import { useState } from 'react'
import type { Failure } from '../../shared/errors.ts'
import type { CommandName, Input, Output } from '../../shared/ipc.ts'
import { useSession } from '../state/use-session.ts'

/** Says a command to main, remembers a refusal for the place that asked, and knows while it is under way. */
export function useCommand() {
  const session = useSession()
  const [failure, setFailure] = useState<Failure | null>(null)
  const [busy, setBusy] = useState(false)

  async function call<N extends CommandName>(name: N, input: Input<N>): Promise<Output<N> | null> {
    setBusy(true)
    const reply = await session.call(name, input)
    setBusy(false)
    setFailure(reply.ok ? null : reply.failure)
    return reply.ok ? reply.value : null
  }

  return { call, failure, busy, clear: () => setFailure(null) }
}
