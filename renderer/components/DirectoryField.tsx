import { useWorld } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { Icon } from './icons.tsx'
import { Refusal } from './Refusal.tsx'
import { useCommand } from './use-command.ts'

/** A directory by its path; where the window has a dialog of the system, it can be chosen in it too. */
export const DirectoryField = ({
  path,
  change,
  autoFocus = false,
}: {
  path: string
  change: (path: string) => void
  autoFocus?: boolean
}) => {
  const { call, failure } = useCommand()
  const hasDialog = useWorld((world) => world.app.shell === 'electron')
  const pick = async () => {
    const picked = await call('directory.pick', {})
    if (picked?.path) change(picked.path)
  }
  return (
    <>
      <input
        className="field grow"
        aria-label={text.create.directory}
        placeholder={text.create.directoryHint}
        spellCheck={false}
        autoFocus={autoFocus}
        value={path}
        onChange={(event) => change(event.target.value)}
      />
      {hasDialog ? (
        <button type="button" className="button small" onClick={() => void pick()}>
          <Icon name="folder" small />
          {text.create.pick}
        </button>
      ) : null}
      <Refusal failure={failure} />
    </>
  )
}
