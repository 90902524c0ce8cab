import { useState } from 'react'
import {
  providerKeyMaxCharacters,
  providerModelMaxCharacters,
  providerNameMaxCharacters,
  providerUrlMaxCharacters,
} from '../../shared/limits.ts'
import { providerPresets } from '../../shared/provider-presets.ts'
import type { ProviderDraft, ProviderKind, ProviderProfile } from '../../shared/provider.ts'
import { needsModel } from '../../shared/read-provider.ts'
import { text } from '../text/text.ts'
import { Row, TextField } from './FormFields.tsx'
import { Icon } from './icons.tsx'
import { Refusal } from './Refusal.tsx'
import { useCommand } from './use-command.ts'

interface FormProps {
  agent: string
  kind: ProviderKind
  /** `null` for a new one. */
  profile: ProviderProfile | null
  keepsKeys: boolean
  saved?: () => void
  leave: () => void
}

/** Writes a profile down. A key that is kept is never shown, so its field begins empty. */
export const ProviderForm = ({ agent, kind, profile, keepsKeys, saved, leave }: FormProps) => {
  const { call, failure, busy } = useCommand()
  const [preset, setPreset] = useState(profile?.preset ?? null)
  const [name, setName] = useState(profile?.name ?? '')
  const [baseUrl, setBaseUrl] = useState(profile?.baseUrl ?? '')
  const [model, setModel] = useState(profile?.model ?? '')
  const [key, setKey] = useState('')
  const [forget, setForget] = useState(false)
  const words = text.providers.form
  const missing = name.trim() === '' || baseUrl.trim() === '' || (needsModel(kind) && model.trim() === '')

  const choose = (id: string) => {
    const chosen = providerPresets[kind].find((one) => one.id === id)
    setPreset(chosen?.id ?? null)
    setName(chosen?.name ?? '')
    setBaseUrl(chosen?.baseUrl ?? '')
  }
  async function save() {
    if (missing || busy) return
    const change = keyChange({ key: key.trim(), forget, kept: profile?.hasKey ?? false })
    const draft = { profileId: profile?.profileId ?? null, kind, preset, name, baseUrl, model, key: change }
    const answer = await call('providers.save', draft)
    // it is in main's hands now
    setKey('')
    if (!answer) return
    saved?.()
    leave()
  }

  return (
    <form
      className="provider-form"
      aria-label={profile ? words.change(profile.name) : words.add(agent)}
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Presets kind={kind} preset={preset} choose={choose} />
      {preset === null ? (
        <>
          <Row label={words.name}>
            <TextField
              label={words.name}
              hint={words.namePlaceholder}
              value={name}
              change={setName}
              maxLength={providerNameMaxCharacters}
            />
          </Row>
          <Row label={words.address}>
            <TextField
              label={words.address}
              hint={words.addressHint}
              value={baseUrl}
              change={setBaseUrl}
              maxLength={providerUrlMaxCharacters}
            />
          </Row>
        </>
      ) : (
        <Row label={words.address}>
          <code className="mono provider-address">{baseUrl}</code>
        </Row>
      )}
      <Row label={words.model}>
        <TextField
          label={words.model}
          hint={needsModel(kind) ? words.modelNeeded : words.modelOptional}
          value={model}
          change={setModel}
          maxLength={providerModelMaxCharacters}
        />
      </Row>
      <Row label={words.key}>
        <input
          className="field"
          type="password"
          aria-label={words.key}
          autoComplete="new-password"
          spellCheck={false}
          placeholder={profile?.hasKey ? words.keyKeep : words.keyEmpty}
          maxLength={providerKeyMaxCharacters}
          disabled={!keepsKeys || forget}
          value={key}
          onChange={(event) => setKey(event.target.value)}
        />
        <p className="meta">{keepsKeys ? words.keyText : text.providers.unkept}</p>
        {profile?.hasKey ? (
          <label className="check">
            <input type="checkbox" checked={forget} onChange={(event) => setForget(event.target.checked)} />
            {words.forget}
          </label>
        ) : null}
      </Row>
      <Refusal failure={failure} />
      <div className="sheet-actions">
        <button type="button" className="button small" onClick={leave}>
          {text.common.cancel}
        </button>
        <button type="submit" className="button small solid" aria-disabled={missing || busy || undefined}>
          {words.save}
        </button>
      </div>
    </form>
  )
}

const keyChange = (said: { key: string; forget: boolean; kept: boolean }): ProviderDraft['key'] => {
  if (said.forget) return { how: 'none' }
  if (said.key !== '') return { how: 'set', key: said.key }
  return { how: said.kept ? 'keep' : 'none' }
}

const Presets = ({
  kind,
  preset,
  choose,
}: {
  kind: ProviderKind
  preset: string | null
  choose: (id: string) => void
}) => {
  const words = text.providers.form
  return (
    <Row label={words.preset}>
      <label className="select-box framed">
        <span className="unseen">{words.preset}</span>
        <select className="select" value={preset ?? ''} onChange={(event) => choose(event.target.value)}>
          <option value="">{words.custom}</option>
          {providerPresets[kind].map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </select>
        <Icon name="down" small />
      </label>
    </Row>
  )
}
