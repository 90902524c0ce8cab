import { useState } from 'react'
import type { ProviderProfile, ProviderTest } from '../../shared/provider.ts'
import { text } from '../text/text.ts'
import { IconButton } from './IconButton.tsx'
import { Icon } from './icons.tsx'
import { ProviderChoice } from './ProviderChoice.tsx'
import { ProviderForm } from './ProviderForm.tsx'
import { Refusal } from './Refusal.tsx'
import { useCommand } from './use-command.ts'

interface RowProps {
  agent: string
  profile: ProviderProfile
  keepsKeys: boolean
}

/** One profile with everything that can be done with it; what came of a test stands under it. */
export const ProviderRow = ({ agent, profile, keepsKeys }: RowProps) => {
  const choosing = useCommand()
  const [open, setOpen] = useState<'form' | 'removal' | null>(null)
  const { answer, test, forget } = useTest(profile)
  const words = text.providers
  const { profileId, kind, name, active } = profile
  return (
    <li className="provider" data-active={active || undefined}>
      <div className="provider-line">
        <div className="provider-what grow">
          <b className="cut">{name}</b>
          <span className="meta cut" title={profile.baseUrl}>
            {profile.baseUrl}
          </span>
          <Details profile={profile} />
        </div>
        <ProviderChoice
          name={name}
          active={active}
          busy={choosing.busy}
          choose={() => void choosing.call('providers.activate', { kind, profileId })}
        />
        <button
          type="button"
          className="button small"
          aria-label={words.testOf(name)}
          disabled={test.busy}
          onClick={() => void test.run()}
        >
          {words.test}
        </button>
        <IconButton icon="pen" label={words.edit(name)} act={() => setOpen(open === 'form' ? null : 'form')} />
        <IconButton icon="bin" label={words.remove(name)} act={() => setOpen(open === 'removal' ? null : 'removal')} />
      </div>
      {profile.keyUnreadable ? <p className="provider-bad">{words.keyUnreadableText}</p> : null}
      <Refusal failure={choosing.failure} />
      <Refusal failure={test.failure} />
      <p className="provider-answer" role="status">
        {test.busy ? <span className="meta">{words.testing}</span> : null}
        {answer && !test.busy ? <Answer test={answer} of={profile} /> : null}
      </p>
      {open === 'removal' ? <Removal profile={profile} leave={() => setOpen(null)} /> : null}
      {open === 'form' ? (
        <ProviderForm
          agent={agent}
          kind={kind}
          profile={profile}
          keepsKeys={keepsKeys}
          saved={forget}
          leave={() => setOpen(null)}
        />
      ) : null}
    </li>
  )
}

/** A test's answer holds for the profile that was tested, and for no other version of it. */
const useTest = (profile: ProviderProfile) => {
  const { call, failure, busy, clear } = useCommand()
  const [saved, setSaved] = useState(0)
  const [answer, setAnswer] = useState<{ test: ProviderTest; of: string } | null>(null)
  const tested = JSON.stringify([profile.baseUrl, profile.model, profile.hasKey, saved])
  const run = async () => {
    setAnswer(null)
    const answered = await call('providers.test', { profileId: profile.profileId })
    if (answered) setAnswer({ test: answered.test, of: tested })
  }
  const forget = () => {
    clear()
    setSaved((times) => times + 1)
  }
  return { answer: answer?.of === tested ? answer.test : null, test: { run, failure, busy }, forget }
}

const Details = ({ profile }: { profile: ProviderProfile }) => {
  const words = text.providers
  const key = profile.keyUnreadable ? words.keyUnreadable : profile.hasKey ? words.keyKept : words.noKey
  return (
    <span className="meta cut">
      {profile.model ?? words.ownModel} · {key}
    </span>
  )
}

const Answer = ({ test, of }: { test: ProviderTest; of: ProviderProfile }) => {
  const words = text.providers
  const good = test.outcome === 'ok'
  return (
    <span className="tone" data-tone={good ? 'done' : 'failed'}>
      <Icon name={good ? 'done' : 'failed'} small />
      <span>
        {words.answers[test.outcome](test.model ?? (good ? null : of.model))}
        {test.status === null || good ? null : <span className="meta"> {words.status(test.status)}</span>}
      </span>
    </span>
  )
}

const Removal = ({ profile, leave }: { profile: ProviderProfile; leave: () => void }) => {
  const { call, failure, busy } = useCommand()
  const words = text.providers
  return (
    <div className="provider-removal" role="group" aria-label={words.removeAsk(profile.name)}>
      <b>{words.removeAsk(profile.name)}</b>
      <p className="meta">{words.removeText}</p>
      <Refusal failure={failure} />
      <div className="sheet-actions">
        <button type="button" className="button small" autoFocus onClick={leave}>
          {text.common.cancel}
        </button>
        <button
          type="button"
          className="button small solid"
          disabled={busy}
          onClick={() => void call('providers.remove', { profileId: profile.profileId })}
        >
          {words.removeDo}
        </button>
      </div>
    </div>
  )
}
