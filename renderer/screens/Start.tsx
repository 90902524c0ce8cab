import type { ReactNode } from 'react'
import type { Failure } from '../../shared/errors.ts'
import { Icon } from '../components/icons.tsx'
import { text } from '../text/text.ts'

/** A whole window that says one thing: why Parley is not there yet, or cannot be. */
export const Start = ({
  title,
  words,
  failure,
  children,
}: {
  title: string
  words?: string
  failure?: Failure | null
  children?: ReactNode
}) => (
  <main className="start">
    <Icon name="brand" />
    <h1 className="view-title">{title}</h1>
    {failure ? <p>{text.errors[failure.code]}</p> : null}
    {words ? <p className="quiet-text">{words}</p> : null}
    {children}
  </main>
)

/** What can be done about a record that is only looked at. */
export function readOnlyWords({ code }: Failure): string {
  return code === 'ledger.unwritable' ? text.start.diskText : text.start.readOnlyText
}

/** What is wrong with the record, in one line. */
export function storeTitle({ code }: Failure): string {
  if (code === 'ledger.damaged') return text.start.damaged
  if (code === 'ledger.newer') return text.start.newer
  if (code === 'ledger.unwritable') return text.start.unwritable
  if (code === 'ledger.locked') return text.start.locked
  return text.start.failed
}
