import type { Deletion } from '../../../shared/deletion.ts'
import { runsKeptWholeMax } from '../../../shared/limits.ts'
import type { DamageReason } from '../../../shared/restored.ts'
import { count } from './counting.ts'

/** Words about the stored record: what is deleted, kept, compacted, put back. */
export const keeping = {
  deletion: {
    text: 'Its messages, runs, answers, gates, drafts and images go for good. Files in its directory stay.',
    running: 'It is running. Stop the run first.',
    amounts: ({ messages, runs, attempts, images }: Deletion, size: string) =>
      `${[
        count(messages, 'message', 'messages'),
        count(runs, 'run', 'runs'),
        count(attempts, 'turn', 'turns'),
        count(images, 'image', 'images'),
      ].join(', ')}: ${size}.`,
    backups: (n: number) =>
      `${count(n, 'backup holds', 'backups hold')} it too; ` +
      `a new one without it replaces ${n === 1 ? 'it' : 'them'} at once.`,
    stays: 'What Parley cannot take back',
    tool: (name: string, folders: readonly string[]) =>
      folders.length === 0
        ? `${name} may keep a record of its own.`
        : `${name} keeps its own sessions in ${folders.join(', ')}.`,
    quarantined: (n: number) =>
      `${count(n, 'damaged record', 'damaged records')} in quarantine, kept as found, may hold it.`,
  },

  restored: {
    label: 'A backup was opened',
    title: (from: string) => `Parley opened its backup of ${from}.`,
    because: (reason: DamageReason) => reasons[reason],
    lost: 'What was written after that is not in it.',
    kept: (name: string) =>
      `The damaged record is kept in Parley’s data folder, as quarantine/${name}. To look at what can be read of it, ` +
      'start Parley with --inspect and that folder as --data.',
    nothingKept: 'Nothing was left of the record to keep.',
    read: 'I have read this',
  },

  details: {
    pin: 'Keep all details',
    pinned: 'All details are kept',
    tip:
      `Once ${runsKeptWholeMax} newer runs are there, a run lets go of reasoning, plans, and what tools gave back. ` +
      'One that is kept never does.',
    compacted: 'An older run: its texts, votes, transitions and tools are kept, other details are not.',
  },
}

const reasons: Record<DamageReason, string> = {
  empty: 'The record was an empty file.',
  notADatabase: 'The record was no database any more.',
  checkFailed: 'The record was damaged inside.',
  wrongShape: 'Parts of the record were missing.',
  directory: 'A directory stood in the record’s place.',
  unreadable: 'The record could not be read.',
  mainFileMissing: 'The record was gone.',
}
