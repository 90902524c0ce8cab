import { useRef, useState } from 'react'
import type { Failure } from '../../shared/errors.ts'
import { runFileMaxBytes } from '../../shared/limits.ts'
import type { RunFilePreview } from '../../shared/run-file.ts'
import { conversationPlace, useNavigation } from '../state/place.ts'
import { readText } from '../state/read-file.ts'
import { useSession } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { Icon } from './icons.tsx'
import { Refusal } from './Refusal.tsx'
import { RunFileFacts } from './RunFileFacts.tsx'
import { Sheet } from './Sheet.tsx'
import { useCommand } from './use-command.ts'

/** Chooses a run file, shows what is in it, and opens it to be looked at. */
export const ImportSheet = () => {
  const { go, show } = useNavigation()
  const { call, failure, busy } = useCommand()
  const { chosen, refused, reading, choose } = useChosenFile()
  const words = text.runFile
  const open = async () => {
    const kept = chosen ? await call('import.keep', { text: chosen.content }) : null
    if (!kept) return
    show(null)
    go(conversationPlace(kept.conversationId))
  }
  return (
    <Sheet label={words.importTitle} className="run-file">
      <h2 className="view-title">{words.importTitle}</h2>
      <p className="quiet-text">{words.importText}</p>
      <ChooseFile word={chosen || refused ? words.another : words.choose} choose={(file) => void choose(file)} />
      {reading ? <p className="meta">{words.reading}</p> : null}
      <Refusal failure={refused ?? failure} />
      {chosen ? (
        <>
          <b className="cut">{chosen.preview.name}</b>
          <RunFileFacts preview={chosen.preview} origin />
        </>
      ) : null}
      <div className="sheet-actions">
        <button type="button" className="button" onClick={() => show(null)}>
          {text.common.cancel}
        </button>
        <button type="button" className="button solid" disabled={busy || !chosen} onClick={() => void open()}>
          {words.open}
        </button>
      </div>
    </Sheet>
  )
}

const ChooseFile = ({ word, choose }: { word: string; choose: (file: File) => void }) => {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div>
      <input
        ref={input}
        type="file"
        hidden
        accept=".json,application/json"
        onChange={(event) => {
          const file = event.target.files?.[0]
          if (file) choose(file)
          // the same file may be chosen again
          event.target.value = ''
        }}
      />
      <button type="button" className="button" onClick={() => input.current?.click()}>
        <Icon name="file" small />
        {word}
      </button>
    </div>
  )
}

function useChosenFile() {
  const session = useSession()
  const [chosen, setChosen] = useState<{ content: string; preview: RunFilePreview } | null>(null)
  const [refused, setRefused] = useState<Failure | null>(null)
  const [reading, setReading] = useState(false)
  const choose = async (file: File) => {
    setChosen(null)
    setRefused(null)
    if (file.size > runFileMaxBytes) return setRefused(tooLarge)
    setReading(true)
    const content = await readText(file).catch(() => '')
    const reply = await session.call('import.preview', { text: content })
    setReading(false)
    if (reply.ok) setChosen({ content, preview: reply.value })
    else setRefused(reply.failure)
  }
  return { chosen, refused, reading, choose }
}

const tooLarge: Failure = { code: 'run-file.too-large', message: 'This file is too large to be a run.' }
