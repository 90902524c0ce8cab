import type { ReactNode } from 'react'
import type { RunFilePreview } from '../../shared/run-file.ts'
import { useNow } from '../state/clock.ts'
import { runLook } from '../state/status.ts'
import { bytes, moment } from '../state/time.ts'
import { text } from '../text/text.ts'
import { useNames } from './Agent.tsx'

/** What is in a run file, and what was left out of it. */
export const RunFileFacts = ({ preview, origin = false }: { preview: RunFilePreview; origin?: boolean }) => {
  const names = useNames()
  const now = useNow()
  const words = text.runFile
  return (
    <dl className="run-file-facts" aria-label={words.preview}>
      <Fact name={words.topic}>
        <span className="run-file-topic">{preview.topic}</span>
      </Fact>
      <Fact name={words.agents}>{text.list(preview.agents.map(names))}</Fact>
      <Fact name={words.end}>{words.ends(runLook(preview.status).word, words.rounds(preview.rounds))}</Fact>
      <Fact name={words.said}>{words.saying(preview.messages, text.characters(preview.characters))}</Fact>
      <Fact name={words.recorded}>{words.recording(preview.transitions, preview.prompts, preview.gates)}</Fact>
      {preview.earlierTurns === 0 ? null : (
        <Fact name={words.earlier}>{words.earlierTurns(preview.earlierTurns)}</Fact>
      )}
      <Fact name={words.size}>{bytes(preview.bytes)}</Fact>
      {origin ? (
        <Fact name={words.origin}>{words.from(moment(preview.exportedAt, now), preview.parley)}</Fact>
      ) : null}
      <Fact name={words.leftOut}>
        <ul>
          <li>{words.never}</li>
          {preview.images === 0 ? null : <li>{words.images(preview.images)}</li>}
          <li>{preview.replaced === 0 ? words.notReplaced : words.replaced(preview.replaced)}</li>
        </ul>
      </Fact>
    </dl>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
