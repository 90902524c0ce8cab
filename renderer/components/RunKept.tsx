import type { RunState } from '../state/model.ts'
import { text } from '../text/text.ts'
import { Icon } from './icons.tsx'
import { Refusal } from './Refusal.tsx'
import { useCommand } from './use-command.ts'

/** Whether all details of a settled run are kept for ever: the person's to say, for as long as they are there. */
export const RunKept = ({ run: { run, detail } }: { run: RunState }) => {
  const { call, failure, busy } = useCommand()
  const words = text.details
  if (detail === 'compacted') return <p className="run-kept meta">{words.compacted}</p>
  const pinned = detail === 'pinned'
  return (
    <div className="run-kept" data-pinned={pinned || undefined}>
      <Refusal failure={failure} />
      <button
        type="button"
        className="button plain small"
        aria-pressed={pinned}
        title={words.tip}
        disabled={busy}
        onClick={() => void call('run.pin', { runId: run.runId, pinned: !pinned })}
      >
        <Icon name="pin" small />
        {pinned ? words.pinned : words.pin}
      </button>
    </div>
  )
}
