import { customArgsMax } from '../../shared/limits.ts'
import { text } from '../text/text.ts'
import type { CustomDraft } from './custom-draft.ts'
import { TextField } from './FormFields.tsx'
import { Kept } from './Kept.tsx'
import { Icon } from './icons.tsx'
import { IconButton } from './IconButton.tsx'

/** The fixed arguments of a program, one in each line. */
export const CustomArguments = ({
  draft: { args, changes },
  set,
}: {
  draft: CustomDraft
  set: (part: Partial<CustomDraft>) => void
}) => {
  const words = text.custom
  if (args === null) {
    return <Kept sentence={words.argumentsKept(changes?.argCount ?? 0)} replace={() => set({ args: [] })} />
  }
  const replace = (at: number, argument: string) => set({ args: args.with(at, argument) })
  const remove = (at: number) => set({ args: args.toSpliced(at, 1) })
  return (
    <>
      {args.map((argument, at) => (
        // a line has no name but its place
        <div className="row" key={`argument-${at + 1}`}>
          <TextField
            label={words.argument(at + 1)}
            hint=""
            value={argument}
            autoFocus={argument === ''}
            change={(value) => replace(at, value)}
          />
          <IconButton icon="close" label={words.removeArgument(at + 1)} act={() => remove(at)} />
        </div>
      ))}
      {args.length < customArgsMax ? (
        <button type="button" className="button small" onClick={() => set({ args: [...args, ''] })}>
          <Icon name="plus" small />
          {words.addArgument}
        </button>
      ) : null}
      <p className="meta">{words.argumentsText}</p>
    </>
  )
}
