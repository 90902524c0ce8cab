import { useEffect, useState } from 'react'
import type { Failure } from '../../shared/errors.ts'
import type { RunFilePreview } from '../../shared/run-file.ts'
import { useNavigation } from '../state/place.ts'
import { shortPath } from '../state/time.ts'
import { useSession, useWorld } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { Icon } from './icons.tsx'
import { Refusal } from './Refusal.tsx'
import { RunFileFacts } from './RunFileFacts.tsx'
import { Sheet } from './Sheet.tsx'
import { useCommand } from './use-command.ts'

/** Shows what would be in the file of a run, then saves it where the shell says. */
export const ExportSheet = ({ runId }: { runId: string }) => {
  const { show } = useNavigation()
  const { call, failure, busy } = useCommand()
  const { preview, refused } = usePreview(runId)
  const home = useWorld((world) => world.home)
  const [saved, setSaved] = useState<string | null>(null)
  const words = text.runFile
  const save = async () => {
    const done = await call('run.export', { runId })
    if (done?.path) setSaved(done.path)
  }
  return (
    <Sheet label={words.exportTitle} className="run-file">
      <h2 className="view-title">{words.exportTitle}</h2>
      <p className="quiet-text">{words.exportText}</p>
      <Refusal failure={refused} />
      {preview ? <RunFileFacts preview={preview} /> : null}
      {preview || refused ? null : <p className="meta">{words.reading}</p>}
      <p className="meta">{words.readIt}</p>
      <Refusal failure={failure} />
      <p className="run-file-saved" role="status">
        {saved === null ? null : (
          <>
            <Icon name="check" small />
            <span>{words.saved(shortPath(saved, home))}</span>
          </>
        )}
      </p>
      <div className="sheet-actions">
        <button type="button" className="button" onClick={() => show(null)}>
          {saved === null ? text.common.cancel : text.common.close}
        </button>
        <button type="button" className="button solid" disabled={busy || !preview} onClick={() => void save()}>
          {words.save}
        </button>
      </div>
    </Sheet>
  )
}

function usePreview(runId: string) {
  const session = useSession()
  const [preview, setPreview] = useState<RunFilePreview | null>(null)
  const [refused, setRefused] = useState<Failure | null>(null)
  useEffect(() => {
    let wanted = true
    void session.call('run.preview', { runId }).then((reply) => {
      if (!wanted) return undefined
      if (reply.ok) setPreview(reply.value)
      else setRefused(reply.failure)
      return undefined
    })
    return () => {
      wanted = false
    }
  }, [session, runId])
  return { preview, refused }
}
