import { terminateMs } from '../shared/limits.ts'
import { carriersOf, listProcesses, lives, startTimeOf, treeOf } from './process-tree.ts'
import type { Ask, ProcessId, ProcessRow } from './process-tree.ts'

/** One launch as it is written down, so that a later start can find what is left of it. */
export interface Leftover extends ProcessId {
  token: string
}

/** What of one launch is alive: its remembered processes, its group, and whoever carries its marker. */
export const survivorsOf = async (root: Leftover, remembered: Iterable<ProcessId>, ask: Ask): Promise<ProcessId[]> => {
  const rows = await listProcesses(ask, root)
  const carriers = await carriersOf(
    new Set([root.token]),
    rows.filter((row) => isNoOlder(row, root)),
  )
  const members = treeOf(root.pid, rows).filter((member) => isNoOlder(member, root))
  return unique([...remembered, ...members, ...carriers]).filter(lives)
}

/**
 * Ends what `find` finds and looks again until nothing is left: SIGTERM first when `politely`, then SIGKILL.
 * Resolves with the number of processes that had to be killed, and not before the last is gone.
 */
export const endAllOf = async (find: () => Promise<ProcessId[]>, politely: boolean): Promise<number> => {
  const first = await find()
  if (first.length === 0) return 0
  if (politely) signalAll(first, 'SIGTERM')
  await untilGone(first, politely ? terminateMs : lastBreathMs)
  const killed = new Set<string>()
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, maxPauseMs)) {
    const left = await find()
    if (left.length === 0) return killed.size
    signalAll(left, 'SIGKILL')
    for (const each of left) killed.add(nameOf(each))
    await untilGone(left, pause)
  }
}

/**
 * Ends what an earlier start of ours left behind, and nothing else: on Linux the processes that carry a recorded
 * launch marker and what those have started, elsewhere the recorded process if its id and start time still match.
 * Resolves with their number.
 */
export const reapBy = async (leftovers: readonly Leftover[], ask: Ask): Promise<number> => {
  if (leftovers.length === 0) return 0
  const remembered: ProcessId[] = []
  const find = async () => {
    const seen = await (process.platform === 'linux' ? carriers(leftovers, ask) : unchanged(leftovers, ask))
    // who loses its parent to the first signal cannot be found by it any more
    remembered.push(...seen)
    return unique(remembered).filter(lives)
  }
  const found = new Set((await find()).map(nameOf))
  await endAllOf(find, true)
  return found.size
}

/** Waits until none of these lives, at most so long. */
const untilGone = async (processes: readonly ProcessId[], atMostMs: number): Promise<boolean> => {
  const deadline = performance.now() + atMostMs
  while (processes.some(lives)) {
    if (performance.now() >= deadline) return false
    await pauseFor(pollMs)
  }
  return true
}

const carriers = async (leftovers: readonly Leftover[], ask: Ask) => {
  const rows = await listProcesses(ask)
  const marked = await carriersOf(new Set(leftovers.map(({ token }) => token)), rows)
  return unique([...marked, ...marked.flatMap((each) => treeOf(each.pid, rows).filter((row) => isNoOlder(row, each)))])
}

const unchanged = async (leftovers: readonly Leftover[], ask: Ask) => {
  const same = await Promise.all(
    leftovers.map(async (leftover) => lives(leftover) && (await startTimeOf(leftover.pid, ask)) === leftover.startTime),
  )
  const roots = leftovers.filter((_, index) => same[index])
  const rows = await listProcesses(ask)
  return unique([...roots, ...roots.flatMap(({ pid }) => treeOf(pid, rows))])
}

const signalAll = (processes: readonly ProcessId[], signal: NodeJS.Signals) => {
  for (const each of processes) {
    if (!lives(each)) continue
    try {
      process.kill(each.pid, signal)
    } catch {
      // it ended between the look and the signal
    }
  }
}

/** A descendant or member of a group cannot be older than its root; an older one has only inherited a number. */
const isNoOlder = (row: ProcessId | ProcessRow, root: ProcessId) =>
  process.platform !== 'linux' || Number(row.startTime) >= Number(root.startTime)

const unique = (processes: readonly ProcessId[]): ProcessId[] => [
  ...new Map(processes.map((each) => [nameOf(each), each])).values(),
]

const nameOf = ({ pid, startTime }: ProcessId) => `${pid}@${startTime}`
const pauseFor = (milliseconds: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, milliseconds)
  })
const pollMs = 10
/** A child that is already on its way out is not counted as killed. */
const lastBreathMs = 100
const firstPauseMs = 50
const maxPauseMs = 1_000
