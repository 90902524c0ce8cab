/** What a tape may hold, one JSON value a line, as `tape-agent.ts` plays it. */
export type TapeEntry = Recorded | Deed

/** A line of a recorded conversation: `->` waits for the client's next line, `<-` is printed. */
interface Recorded {
  ms?: number
  dir: '->' | '<-'
  msg: unknown
}

export type Deed =
  /** Prints a text as it is, or bytes; `every` cuts them into pieces of so many bytes, each written by itself. */
  | { do: 'print'; text?: string; base64?: string; to?: 'stdout' | 'stderr'; every?: number }
  | { do: 'complain'; text: string }
  /** Prints a text so many times, as fast as it is read. */
  | { do: 'flood'; text: string; times: number; to?: 'stdout' | 'stderr' }
  | { do: 'wait'; ms: number }
  | { do: 'read'; bytes: number }
  | { do: 'read-all' }
  | { do: 'hang' }
  | { do: 'ignore'; signal: NodeJS.Signals }
  /** Starts another of its kind: a child in the group, one in a session of its own, or an orphan in one. */
  | { do: 'spawn'; how: 'child' | 'setsid' | 'double-fork'; tape: readonly TapeEntry[] }
  /** Appends a letter to a file again and again, whatever else happens. */
  | { do: 'scribble'; file: string; everyMs: number }
  /** Writes down how it was started: its arguments, its environment, its folder, and how long its last prompt was. */
  | { do: 'report'; file: string }
  /** Spends the one token in a file and puts a new one there; who comes with a spent one is logged out. */
  | { do: 'refresh'; file: string; takesMs: number }
  /**
   * Speaks a protocol: answers what it is asked, and plays one of the turns for each prompt, the last for all later.
   * When it is told to stop it plays `stopped`, or else says that the turn was cancelled.
   */
  | { do: 'serve'; dialect: DialectName; turns: readonly Turn[]; stopped?: Turn }
  | { do: 'exit'; code: number }
  | { do: 'die'; signal: NodeJS.Signals }

export type Turn = readonly (Act | Deed)[]

/** What an agent does in a turn, in the words of no protocol. */
export type Act =
  | { act: 'say'; text: string }
  | { act: 'think'; text: string }
  | { act: 'tool'; id: string; status: 'running' | 'done' | 'failed' | 'denied'; output?: string }
  | { act: 'end'; as: 'completed' | 'refused' | 'cancelled' | 'failed'; said?: string }

export type DialectName = 'codex' | 'claude' | 'acp'
