import type { ReplayObstacle } from '../../../shared/replay.ts'
import { count } from './counting.ts'

const transitions = (n: number) => count(n, 'transition', 'transitions')
const prompts = (n: number) => count(n, 'prompt', 'prompts')

/** Why a replay could not go on, after “because”. */
const obstacles: Record<ReplayObstacle, string> = {
  otherVersion: 'it was recorded by another version of the charts.',
  eventsMissing: 'a transition is missing from the record.',
  tableUnknown: 'the record does not tell how the table was set when it began.',
  causeOmitted: 'what caused the next transition was too long to be kept.',
  actorBroke: 'a part of it broke there, and what broke is not on record.',
  gateUnknown: 'the answer that it went on with is not on record.',
  promptUnknown: 'the prompt that was sent there is not on record.',
  detailCompacted: 'what its agents did has been compacted since, and a prompt told of it.',
  textsReplaced: 'folders, names or secrets were replaced in its texts when it was exported.',
  endedOutside: 'its end was written by the start after it, not by its own chart.',
}

/** Words of replaying a run, and of run files. */
export const record = {
  record: {
    label: 'The record of this run',
    replay: 'Replay',
    replaying: 'Replaying…',
    replayTip: 'Runs Parley’s own part once more over what was recorded, without an agent, and compares',
    export: 'Export…',
    exportTip: 'Saves this run as one file',
    equal: (events: number, sent: number) =>
      `Replayed without an agent. All ${transitions(events)} and ${prompts(sent)} came out as recorded.`,
    soFar: (events: number, sent: number) => `Before that, ${transitions(events)} and ${prompts(sent)} were equal.`,
    differs: (seq: number, where: string) => `The first difference is at transition ${seq} of ${where}.`,
    promptDiffers: (where: string, line: number) => `The first difference is in line ${line} of a prompt to ${where}.`,
    endDiffers: 'Every transition is equal, and yet the end is another one.',
    cannot: (seq: number, because: ReplayObstacle) =>
      `It cannot be replayed from transition ${seq} on, because ${obstacles[because]}`,
    recorded: 'Recorded',
    replayed: 'Replayed',
    nothing: 'nothing',
    emptyLine: 'an empty line',
    run: 'the run',
    round: (n: string) => `round ${n}`,
    gate: 'a question',
    someone: (name: string, round: number) => `${name}, round ${round}`,
    from: (state: string) => `from ${state}`,
    to: (state: string) => `to ${state}`,
    via: (states: string) => `by way of ${states}`,
  },
  runFile: {
    exportTitle: 'Export this run',
    exportText: 'One file, which another Parley opens to look at. This is what will be in it:',
    importTitle: 'Open a run from a file',
    importText: 'A run that was exported from Parley. It is opened to be looked at: nothing in it can start an agent.',
    choose: 'Choose a file…',
    another: 'Another file…',
    reading: 'Looking into it…',
    preview: 'What is in it',
    topic: 'Topic',
    agents: 'Agents',
    end: 'Came to',
    ends: (status: string, rounds: string) => `${status}, ${rounds}`,
    rounds: (n: number) => count(n, 'round', 'rounds'),
    said: 'Said',
    saying: (messages: number, characters: string) => `${count(messages, 'message', 'messages')}, ${characters}`,
    recorded: 'Recorded',
    recording: (events: number, sent: number, gates: number) =>
      `${transitions(events)}, ${prompts(sent)}${gates === 0 ? '' : `, ${count(gates, 'question', 'questions')}`}`,
    earlier: 'Earlier turns',
    earlierTurns: (n: number) => `${n}, because the prompts of this run may quote them`,
    size: 'Size',
    origin: 'Exported',
    from: (at: string, version: string) => `${at}, by Parley ${version}`,
    leftOut: 'Left out',
    never: 'Folders, environment, keys, and the sessions of the agents themselves: a file has no place for them.',
    images: (n: number) => `${count(n, 'image', 'images')}, of which only the number is told.`,
    replaced: (n: number) =>
      `In ${count(n, 'text', 'texts')}, paths of the machine, names of its account, or secrets were replaced.`,
    notReplaced: 'No path, no name of an account and no secret was found in its texts.',
    readIt: 'What people and agents wrote is in it as they wrote it. Read it before you give it away.',
    save: 'Save the file',
    saved: (path: string) => `Saved as ${path}`,
    open: 'Open it',
    shelf: 'Opened from files',
    imported: 'Imported, read-only',
    importedTip: 'Opened from a file, to be looked at',
    foot: 'This run was opened from a file. It can be looked at, replayed and exported; nothing in it starts an agent.',
  },
}
