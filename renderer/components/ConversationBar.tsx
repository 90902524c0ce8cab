import { useState } from 'react'
import type { OpenConversation, RunState } from '../state/model.ts'
import { useNavigation } from '../state/place.ts'
import { runLook } from '../state/status.ts'
import { shortPath } from '../state/time.ts'
import { useSession, useWorld } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { Icon } from './icons.tsx'
import { Refusal } from './Refusal.tsx'
import { useCommand } from './use-command.ts'

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
  const [asking, setAsking] = useState(false)
  const { conversationId, allowWrite } = conversation
  const update = async (change: { workdir?: string; allowWrite?: boolean }) => {
    const updated = await call('conversation.update', { conversationId, ...change })
    if (updated) session.knowConversation(updated.conversation)
  }
  const pick = async () => {
    const picked = await call('directory.pick', {})
    if (picked?.path) await update({ workdir: picked.path })
  }
  const setWrite = async (allow: boolean) => {
    setAsking(false)
    await update({ allowWrite: allow })
  }
  return (
    <>
      <header className="bar" data-region tabIndex={-1}>
        <h1 className="title cut">{conversation.name}</h1>
        <button
          type="button"
          className={`button small lock${allowWrite ? ' write' : ''}`}
          aria-pressed={allowWrite}
          title={allowWrite ? text.bar.mayWriteTip : text.bar.readOnlyTip}
          onClick={() => setAsking(!asking)}
        >
          <Icon name={allowWrite ? 'pen' : 'lock'} small />
          {allowWrite ? text.bar.mayWrite : text.bar.readOnly}
        </button>
        <Directory path={conversation.workdir} pick={() => void pick()} />
        <span className="grow" />
        <RunControl run={run} newest={newest} />
        <PanelButton />
      </header>
      {asking ? (
        <LockQuestion
          workdir={conversation.workdir}
          allowWrite={allowWrite}
          set={(allow) => void setWrite(allow)}
          cancel={() => setAsking(false)}
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

const Directory = ({ path, pick }: { path: string; pick: () => void }) => {
  const home = useWorld((world) => world.home)
  const shown = shortPath(path, home)
  return (
    <button
      type="button"
      className="button plain small directory"
      aria-label={text.bar.directory(shown)}
      title={text.bar.directory(shown)}
      onClick={pick}
    >
      <Icon name="folder" small />
      <span className="cut">{shown}</span>
    </button>
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
    <button
      type="button"
      className="button plain square"
      aria-label={text.bar.showPanel}
      title={text.bar.showPanel}
      onClick={() => void session.saveSettings({ panelOpen: true })}
    >
      <Icon name="panel" />
    </button>
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
