import { onMac } from '../state/keys.ts'
import { text } from '../text/text.ts'
import { Sheet } from './Sheet.tsx'

/** Every key of the window. */
export const KeysSheet = () => {
  const command = onMac() ? 'Cmd' : 'Ctrl'
  const words = text.keys
  const keys: readonly (readonly [string, readonly string[]])[] = [
    [words.find, [command, 'K']],
    [words.create, [command, 'N']],
    [words.sidebar, [command, 'B']],
    [words.panel, [command, 'J']],
    [words.stop, [command, '.']],
    [words.region, ['F6']],
    [words.regionBefore, ['Shift', 'F6']],
    [words.gate, ['G']],
    [words.move, ['J', 'K']],
    [words.answer, ['1', '–', '9']],
    [words.board, ['←', '↑', '↓', '→']],
    [words.outline, ['↑', '↓', 'Home', 'End']],
    [words.backEvent, ['←', '→']],
    [words.backAttempt, ['Shift', '←', '→']],
    [words.backRound, ['PageUp', 'PageDown']],
    [words.backEnds, ['Home', 'End']],
    [words.backPlay, [words.space]],
    [words.send, ['Enter']],
    [words.line, ['Shift', 'Enter']],
    [words.keys, [command, '/']],
    [words.close, ['Esc']],
  ]
  return (
    <Sheet label={words.title}>
      <h2 className="view-title">{words.title}</h2>
      <dl className="keys-list">
        {keys.map(([what, chord]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>
              {chord.map((key) =>
                key === '–' ? (
                  key
                ) : (
                  <kbd key={key} className="key">
                    {key}
                  </kbd>
                ),
              )}
            </dd>
          </div>
        ))}
      </dl>
    </Sheet>
  )
}
