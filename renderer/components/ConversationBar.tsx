import { useState } from 'react'
import type { OpenConversation, RunState } from '../state/model.ts'
import { useNavigation } from '../state/place.ts'
import { runLook } from '../state/status.ts'
import { shortPath } from '../state/time.ts'
import { useSession, useWorld } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { DirectoryField } from './DirectoryField.tsx'
import { IconButton } from './IconButton.tsx'
import { Icon } from './icons.tsx'
import { Refusal } from './Refusal.tsx'
import { useCommand } from './use-command.ts'
import { useImported } from './use-imported.ts'

/** The line over a conversation: its name, what agents may do, where, and the way to stop. */
export const ConversationBar = ({
  open,
  run,
  newest,
}: {
  open: OpenConversation
  run: RunState | undefined
  newest: RunState | undefined
}) => {
  const { conversation } = open
  const { call, failure, clear } = useCommand()
  const session = useSession()
  const members = useWorld((world) => world.agents).filter(({ agent }) => conversation.members.includes(agent))
  const [asking, setAsking] = useState<'access' | 'directory' | null>(null)
  const { conversationId, allowWrite } = conversation
  const imported = useImported(conversationId)
  const update = async (change: { workdir?: string; allowWrite?: boolean }) => {
    const updated = await call('conversation.update', { conversationId, ...change })
    if (updated) session.knowConversation(updated.conversation)
    return updated !== null
  }
  const ask = (what: 'access' | 'directory') => {
    clear()
    setAsking(asking === what ? null : what)
  }
  const setWrite = async (allow: boolean) => {
    setAsking(null)
    await update({ allowWrite: allow })
  }
  const setWorkdir = async (workdir: string) => {
    if (workdir === conversation.workdir || (await update({ workdir }))) setAsking(null)
  }
  return (
    <>
      <header className="bar" data-region tabIndex={-1}>
        <h1 className="title cut" title={conversation.name}>
          {conversation.name}
        </h1>
        {members.some(({ rehearsal }) => rehearsal) ? <span className="tag">{text.common.rehearsal}</span> : null}
        {imported ? (
          <span className="tag" title={text.runFile.importedTip}>
            {text.runFile.imported}
          </span>
        ) : (
          <>
            <button
              type="button"
              className={`button small lock${allowWrite ? ' write' : ''}`}
              aria-pressed={allowWrite}
              title={allowWrite ? text.bar.mayWriteTip : text.bar.readOnlyTip}
              onClick={() => ask('access')}
              aria-expanded={asking === 'access'}
            >
              <Icon name={allowWrite ? 'pen' : 'lock'} small />
              {allowWrite ? text.bar.mayWrite : text.bar.readOnly}
            </button>
            <Directory path={conversation.workdir} open={asking === 'directory'} ask={() => ask('directory')} />
          </>
        )}
        <span className="grow" />
        <RunControl run={run} newest={newest} />
        <PanelButton />
      </header>
      {asking === 'directory' ? (
        <DirectoryQuestion
          path={conversation.workdir}
          set={(workdir) => void setWorkdir(workdir)}
          cancel={() => setAsking(null)}
        />
      ) : null}
      {asking === 'access' ? (
        <LockQuestion
          workdir={conversation.workdir}
          allowWrite={allowWrite}
          set={(allow) => void setWrite(allow)}
          cancel={() => setAsking(null)}
        />
      ) : null}
      {failure ? (
        <div className="strip">
          <Refusal failure={failure} />
          <button type="button" className="button plain small" onClick={clear}>
            {text.common.close}
          </button>
        </div>
      ) : null}
    </>
  )
}

const Directory = ({ path, open, ask }: { path: string; open: boolean; ask: () => void }) => {
  const home = useWorld((world) => world.home)
  const shown = shortPath(path, home)
  return (
    <button
      type="button"
      className="button plain small directory"
      aria-label={text.bar.directory(shown)}
      title={text.bar.directory(shown)}
      aria-expanded={open}
      onClick={ask}
    >
      <Icon name="folder" small />
      <span className="cut">{shown}</span>
    </button>
  )
}

/** Another working directory: chosen where the shell can ask for one, else written down. */
const DirectoryQuestion = ({
  path,
  set,
  cancel,
}: {
  path: string
  set: (path: string) => void
  cancel: () => void
}) => {
  const [written, setWritten] = useState(path)
  return (
    <form
      className="strip fade-in"
      aria-label={text.create.directory}
      onSubmit={(event) => {
        event.preventDefault()
        if (written.trim() !== '') set(written.trim())
      }}
    >
      <Icon name="folder" />
      <DirectoryField path={written} change={setWritten} autoFocus />
      <button type="button" className="button small" onClick={cancel}>
        {text.common.cancel}
      </button>
      <button type="submit" className="button small solid" aria-disabled={written.trim() === '' || undefined}>
        {text.bar.takeDirectory}
      </button>
    </form>
  )
}

const RunControl = ({ run, newest }: { run: RunState | undefined; newest: RunState | undefined }) => {
  const { call, busy, failure } = useCommand()
  if (!run) {
    const look = newest ? runLook(newest.run.status) : null
    return look ? (
      <span className="badge" data-tone={look.tone}>
        <Icon name={look.icon} small />
        {look.word}
      </span>
    ) : null
  }
  const { runId, status } = run.run
  const stopping = status === 'stopping' || busy
  return (
    <>
      <Refusal failure={failure} />
      {status === 'holding' ? (
        <button type="button" className="button" onClick={() => void call('run.resume', { runId })}>
          <Icon name="play" small />
          {text.bar.resume}
        </button>
      ) : null}
      <button
        type="button"
        className="button"
        aria-disabled={stopping || undefined}
        onClick={() => (stopping ? undefined : void call('run.stop', { runId }))}
      >
        <Icon name={stopping ? 'stopping' : 'stop'} />
        {stopping ? text.bar.stopping : text.bar.stop}
      </button>
    </>
  )
}

/** Unfolds the panel where it is folded. */
const PanelButton = () => {
  const { narrow } = useNavigation()
  const session = useSession()
  const panelOpen = useWorld((world) => world.settings.panelOpen)
  if (panelOpen || narrow) return null
  return (
    <IconButton icon="panel" label={text.bar.showPanel} act={() => void session.saveSettings({ panelOpen: true })} />
  )
}

const LockQuestion = ({
  workdir,
  allowWrite,
  set,
  cancel,
}: {
  workdir: string
  allowWrite: boolean
  set: (allow: boolean) => void
  cancel: () => void
}) => {
  const home = useWorld((world) => world.home)
  return (
    <div className="strip fade-in" role="group" aria-label={text.bar.unlockTitle}>
      <Icon name={allowWrite ? 'lock' : 'pen'} />
      <p className="grow">
        {allowWrite ? (
          text.bar.lockText
        ) : (
          <>
            <b>{text.bar.unlockTitle}</b> {text.bar.unlockText(shortPath(workdir, home))}
          </>
        )}
      </p>
      <button type="button" className="button small" onClick={cancel}>
        {text.common.cancel}
      </button>
      <button type="button" className="button small solid" onClick={() => set(!allowWrite)}>
        {allowWrite ? text.bar.lock : text.bar.unlock}
      </button>
    </div>
  )
}
