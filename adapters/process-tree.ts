import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'

/** The variable by which every process of one launch is known. */
export const launchMarker = 'PARLEY_ATTEMPT'

/** A process that cannot be mistaken for a later one with the same id. */
export interface ProcessId {
  pid: number
  /** The system's own word for when it began: clock ticks since boot on Linux, a date elsewhere. */
  startTime: string
}

export interface ProcessRow extends ProcessId {
  parent: number
  group: number
}

/** Runs a small program of the system and returns what it printed, or an empty string. */
export type Ask = (file: string, args: readonly string[]) => Promise<string>

/**
 * Every process that can be seen, the dead but unburied left out. With `root`, some that are surely older than it may
 * be left out as well.
 */
export const listProcesses = async (ask: Ask, root?: ProcessId): Promise<ProcessRow[]> => {
  if (process.platform === 'linux') return listByProc(root)
  if (process.platform === 'win32') return []
  return (await ask('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart='])).split('\n').flatMap(readPsRow)
}

/** The process itself, its descendants and the rest of its group. */
export const treeOf = (root: number, rows: readonly ProcessRow[]): ProcessId[] => {
  const tree = new Set([root])
  for (let before = 0; before < tree.size;) {
    before = tree.size
    for (const row of rows) if (tree.has(row.parent) || row.group === root) tree.add(row.pid)
  }
  return rows.filter((row) => tree.has(row.pid) && row.pid !== process.pid)
}

/** Those whose environment carries the marker of one of these launches. Linux only; elsewhere none. */
export const carriersOf = async (tokens: ReadonlySet<string>, rows: readonly ProcessRow[]): Promise<ProcessId[]> => {
  if (process.platform !== 'linux') return []
  const found: ProcessId[] = []
  for (const [index, row] of rows.entries()) {
    if (row.pid !== process.pid && tokens.has(tokenOf(row.pid))) found.push(row)
    await breatheAfter(index)
  }
  return found
}

/** Whether exactly this process still lives. */
export const lives = ({ pid, startTime }: ProcessId): boolean => {
  if (process.platform === 'linux') return readStat(pid)?.startTime === startTime
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** When a process began, or `null` when it is gone or the system does not say. */
export const startTimeOf = async (pid: number, ask: Ask): Promise<string | null> => {
  if (process.platform === 'linux') return readStat(pid)?.startTime ?? null
  if (process.platform === 'win32') {
    const command = `(Get-Process -Id ${pid}).StartTime.ToFileTimeUtc()`
    return (await ask('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', command])).trim() || null
  }
  return (await ask('ps', ['-o', 'lstart=', '-p', String(pid)])).trim() || null
}

const listByProc = async (root: ProcessId | undefined): Promise<ProcessRow[]> => {
  const rows: ProcessRow[] = []
  const names = (await readdir('/proc')).filter((name) => name.charCodeAt(0) <= nine && name.charCodeAt(0) > zero)
  const lowest = root ? lowestOfYounger(root) : 0
  const pids = names.map(Number).filter((pid) => pid >= lowest)
  for (const [index, pid] of pids.entries()) {
    const row = readStat(pid)
    if (row) rows.push(row)
    await breatheAfter(index)
  }
  return rows
}

/**
 * The lowest id that a process younger than `root` can have. Ids rise until they begin again from the low end; that has
 * not happened where the last one given is still above a root so young that they cannot have gone all the way round.
 */
const lowestOfYounger = ({ pid, startTime }: ProcessId): number => {
  const lastGiven = Number(readQuietly('/proc/loadavg').trim().split(' ').at(-1))
  const aliveSeconds = Number(readQuietly('/proc/uptime').split(' ')[0]) - Number(startTime) / ticksPerSecond
  return lastGiven >= pid && aliveSeconds < idsGoRoundSeconds ? pid : 0
}

/** `pid (name) state ppid pgrp … starttime …`: fields are counted after the last bracket, as a name may hold any. */
const readStat = (pid: number): ProcessRow | null => {
  const stat = readQuietly(`/proc/${pid}/stat`)
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, parent, group] = fields
  const startTime = fields[19]
  if (!startTime || state === 'Z' || state === 'X') return null
  return { pid, parent: Number(parent), group: Number(group), startTime }
}

const tokenOf = (pid: number): string => {
  const environment = readQuietly(`/proc/${pid}/environ`)
  const at = environment.startsWith(`${launchMarker}=`) ? 0 : environment.indexOf(`\0${launchMarker}=`) + 1
  if (at === 0 && !environment.startsWith(`${launchMarker}=`)) return ''
  const from = at + launchMarker.length + 1
  const to = environment.indexOf('\0', from)
  return environment.slice(from, to < 0 ? undefined : to)
}

const readPsRow = (line: string): ProcessRow[] => {
  const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(line)
  if (!match || match[4]?.startsWith('Z')) return []
  return [{ pid: Number(match[1]), parent: Number(match[2]), group: Number(match[3]), startTime: match[5] ?? '' }]
}

const readQuietly = (file: string): string => {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}

/** What Linux has told programs since 2.4, whatever the kernel counts by. */
const ticksPerSecond = 100
/** There are 32,768 ids at the least. */
const idsGoRoundSeconds = 30
const zero = 0x30
const nine = 0x39
const processesPerTick = 100

/** Thousands of processes must not hold up the rest of main. */
const breatheAfter = (index: number): Promise<void> | undefined =>
  index % processesPerTick === processesPerTick - 1
    ? new Promise((resolve) => {
        setImmediate(resolve)
      })
    : undefined
