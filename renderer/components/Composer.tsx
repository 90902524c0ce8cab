import { useRef, useState } from 'react'
import type { AgentId } from '../../shared/agent.ts'
import type { Failure } from '../../shared/errors.ts'
import { topicMaxCharacters } from '../../shared/limits.ts'
import type { RoundSettings } from '../../shared/conversation.ts'
import { composes } from '../state/keys.ts'
import type { OpenConversation } from '../state/model.ts'
import { useSession, useWorld } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { Mark, useAgent } from './Agent.tsx'
import { FolderGone } from './FolderGone.tsx'
import { Icon } from './icons.tsx'
import { DraftImages } from './Images.tsx'
import { ImageNotices, PickImages } from './ImageInput.tsx'
import { MembersMenu } from './MembersMenu.tsx'
import { Queue } from './Queue.tsx'
import { Refusal } from './Refusal.tsx'
import { RoundControls } from './RoundControls.tsx'
import { useDraft } from './use-draft.ts'
import { useDraftImages } from './use-draft-images.ts'
import { useImageInput } from './use-image-input.ts'

/** Where the person writes. It stays alive while a run goes on: what is sent then is queued. */
export const Composer = ({
  open,
  active,
  asked,
}: {
  open: OpenConversation
  active: boolean
  /** Hears which run a message has begun. */
  asked: (runId: string | null) => void
}) => {
  const { conversation, queue } = open
  const session = useSession()
  const readOnly = useWorld((world) => world.app.readOnly)
  const draft = useDraft(conversation.conversationId, open.draft)
  const images = useDraftImages(conversation.conversationId)
  const input = useImageInput(images.add)
  const [left, setLeft] = useState<readonly AgentId[]>([])
  const [chosen, setChosen] = useState<RoundSettings | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [confirming, setConfirming] = useState(false)
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const settings = chosen ?? conversation.settings

  const group = conversation.kind === 'group'
  const targets = conversation.members.filter((member) => !left.includes(member))

  async function send(unlimitedConfirmed: boolean) {
    if (busy || images.adding > 0) return
    if (group && settings.rounds === null && !unlimitedConfirmed) {
      setConfirming(true)
      return
    }
    setConfirming(false)
    setBusy(true)
    const sent = draft.text
    const sentImages = open.draftImages.map(({ imageId }) => imageId)
    const reply = await session.call('message.send', {
      conversationId: conversation.conversationId,
      text: sent,
      ...(sentImages.length > 0 ? { images: sentImages } : {}),
      targets: group ? targets : null,
      settings: group ? settings : null,
      unlimitedConfirmed,
    })
    setBusy(false)
    setFailure(reply.ok ? null : reply.failure)
    if (!reply.ok) return
    draft.clear(sent)
    images.forget()
    session.dropDraftImages(conversation.conversationId, sentImages)
    asked(reply.value.runId)
    field.current?.focus()
  }

  return (
    <div className="composer" data-region tabIndex={-1} aria-label={text.composer.label}>
      <Queue conversationId={conversation.conversationId} queue={queue} />
      <form
        className="composer-box"
        data-dropping={input.dropping || undefined}
        {...input.box}
        onSubmit={(event) => {
          event.preventDefault()
          void send(false)
        }}
      >
        <div className="composer-to">
          <span className="meta">{text.composer.to}</span>
          {conversation.members.map((member) => (
            <Target
              key={member}
              agent={member}
              asked={!left.includes(member)}
              fixed={!group}
              toggle={() => setLeft(left.includes(member) ? left.filter((one) => one !== member) : [...left, member])}
            />
          ))}
          {group ? <MembersMenu conversation={conversation} /> : null}
          <span className="grow" />
          <Access mayWrite={conversation.allowWrite} />
        </div>
        <textarea
          ref={field}
          className="composer-field"
          aria-label={text.composer.label}
          aria-invalid={failure ? true : undefined}
          placeholder={
            active ? text.composer.busy : open.runIds.length === 0 ? text.composer.first : text.composer.next
          }
          maxLength={topicMaxCharacters}
          autoFocus={open.runIds.length === 0}
          rows={1}
          value={draft.text}
          onChange={(event) => {
            draft.type(event.target.value)
            setFailure(null)
          }}
          onBlur={draft.flush}
          onPaste={input.onPaste}
          onKeyDown={(event) => {
            if (composes(event.nativeEvent) || event.key !== 'Enter' || event.shiftKey) return
            event.preventDefault()
            void send(false)
          }}
        />
        <DraftImages
          images={open.draftImages}
          remove={(image) => {
            field.current?.focus()
            void images.remove(image)
          }}
        />
        <ImageNotices
          {...images}
          count={open.draftImages.length}
          // a refusal says it already
          asked={failure?.code === 'image.not-taken' ? [] : targets}
        />
        {confirming ? <ConfirmUnlimited send={() => void send(true)} cancel={() => setConfirming(false)} /> : null}
        <Refusal failure={failure} />
        <FolderGone
          conversationId={conversation.conversationId}
          failure={failure}
          made={() => {
            setFailure(null)
            field.current?.focus()
          }}
        />
        {readOnly ? <p className="meta">{text.composer.readOnly}</p> : null}
        <div className="composer-tools">
          <PickImages add={images.add} />
          {group ? <RoundControls settings={settings} change={setChosen} /> : null}
          <span className="grow" />
          <button type="submit" className="button solid" aria-disabled={busy || images.adding > 0 || undefined}>
            <Icon name="up" />
            {active ? text.composer.queue : text.composer.send}
          </button>
        </div>
      </form>
    </div>
  )
}

const Target = ({
  agent,
  asked,
  fixed,
  toggle,
}: {
  agent: AgentId
  asked: boolean
  fixed: boolean
  toggle: () => void
}) => {
  const card = useAgent(agent)
  if (fixed) {
    return (
      <span className="chip">
        <Mark card={card} />
        {card.name}
        {card.rehearsal ? <span className="dim">{text.common.rehearsal}</span> : null}
      </span>
    )
  }
  return (
    <button
      type="button"
      className="chip"
      aria-pressed={asked}
      title={text.composer.target(card.name)}
      onClick={toggle}
    >
      <Mark card={card} />
      {card.name}
      {card.rehearsal ? <span className="unseen">{text.common.rehearsal}</span> : null}
    </button>
  )
}

const Access = ({ mayWrite }: { mayWrite: boolean }) => (
  <span className={`access${mayWrite ? ' write' : ''}`} title={mayWrite ? text.bar.mayWriteTip : text.bar.readOnlyTip}>
    <Icon name={mayWrite ? 'pen' : 'lock'} small />
    {mayWrite ? text.bar.mayWrite : text.bar.readOnly}
  </span>
)

const ConfirmUnlimited = ({ send, cancel }: { send: () => void; cancel: () => void }) => (
  <div className="confirm" role="group" aria-label={text.composer.confirmTitle}>
    <p className="grow">
      <b>{text.composer.confirmTitle}</b> {text.composer.confirmText}
    </p>
    <button type="button" className="button small" onClick={cancel}>
      {text.common.cancel}
    </button>
    <button type="button" className="button small solid" autoFocus onClick={send}>
      {text.composer.confirm}
    </button>
  </div>
)
