import { useState } from 'react'
import type { ReplayResult } from '../../shared/replay.ts'
import type { RunState } from '../state/model.ts'
import { useNavigation } from '../state/place.ts'
import { text } from '../text/text.ts'
import { Icon } from './icons.tsx'
import { Refusal } from './Refusal.tsx'
import { ReplayFound } from './ReplayFound.tsx'
import { useCommand } from './use-command.ts'

/** What can be done with the record of a settled run: replaying it, and saving it as a file. */
export const RunTools = ({ run }: { run: RunState }) => {
  const { show } = useNavigation()
  const { call, failure, busy } = useCommand()
  const [result, setResult] = useState<ReplayResult | null>(null)
  const { runId } = run.run
  const words = text.record
  const replay = async () => {
    setResult(null)
    setResult(await call('run.replay', { runId }))
  }
  return (
    <section className="run-tools" aria-label={words.label}>
      <div className="row">
        <button
          type="button"
          className="button small"
          title={words.replayTip}
          disabled={busy}
          onClick={() => void replay()}
        >
          <Icon name="again" small />
          {busy ? words.replaying : words.replay}
        </button>
        <button
          type="button"
          className="button small"
          title={words.exportTip}
          onClick={() => show({ name: 'export', runId })}
        >
          <Icon name="out" small />
          {words.export}
        </button>
      </div>
      <div role="status">{result ? <ReplayFound run={run} result={result} /> : null}</div>
      <Refusal failure={failure} />
    </section>
  )
}
