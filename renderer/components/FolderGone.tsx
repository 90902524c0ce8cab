import type { Failure } from '../../shared/errors.ts'
import { text } from '../text/text.ts'
import { Refusal } from './Refusal.tsx'
import { useCommand } from './use-command.ts'

interface FolderGoneProps {
  conversationId: string
  /** What was refused; shows nothing for another reason. */
  failure: Failure | null
  /** The folder is there again. */
  made: () => void
}

/** The way out where a conversation's working directory went away: another one is chosen in the bar. */
export const FolderGone = ({ conversationId, failure, made }: FolderGoneProps) => {
  const { call, busy, failure: unmade } = useCommand()
  if (failure?.code !== 'workdir.missing') return null
  const make = async () => {
    if (await call('workdir.make', { conversationId })) made()
  }
  return (
    <div className="row">
      <button type="button" className="button small" disabled={busy} onClick={() => void make()}>
        {text.bar.makeFolder}
      </button>
      <Refusal failure={unmade} />
    </div>
  )
}
