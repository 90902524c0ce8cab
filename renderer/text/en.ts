import type { Readiness } from '../../shared/agent.ts'
import type { PlanEntry, ToolKind, ToolStatus } from '../../shared/agent-event.ts'
import type { AttemptStatus } from '../../shared/attempt.ts'
import type { DeliveryRecord } from '../../shared/delivery.ts'
import type { GateEndReason, GateKind } from '../../shared/gate.ts'
import type { RunStatus, StopKind } from '../../shared/run.ts'
import type { NoVote } from '../../shared/vote.ts'
import type * as z from 'zod'
import { errors, events, guards, states, stateTips } from './en-machines.ts'

const count = (n: number, one: string, many: string) => `${n.toLocaleString('en')} ${n === 1 ? one : many}`
const list = (words: readonly string[]) => new Intl.ListFormat('en').format(words)

const readiness: Record<Readiness, string> = {
  checking: 'checking', notInstalled: 'not installed', installed: 'installed', incompatible: 'incompatible',
  needsLogin: 'needs login', ready: 'ready', recentlyVerified: 'ready, used lately',
}
const attempt: Record<AttemptStatus, string> = {
  queued: 'queued', launching: 'starting', streaming: 'streaming', awaitingGate: 'needs you', resuming: 'going on',
  ending: 'stopping', overdue: 'does not end', settling: 'settling', backingOff: 'backing off', parked: 'needs you',
  completed: 'done', partial: 'in part', failed: 'failed', timedOut: 'timed out', stopped: 'stopped',
  interrupted: 'interrupted', skipped: 'skipped',
}
const run: Record<RunStatus, string> = {
  running: 'running', holding: 'on hold', stopping: 'stopping', agreed: 'agreed', completed: 'done', partial: 'in part',
  roundsUp: 'rounds are up', failed: 'failed', budgetSpent: 'budget spent', stopped: 'stopped', interrupted: 'interrupted',
}
const stopKind: Record<StopKind, string> = {
  person: 'You stopped it.', shutdown: 'Parley was closed.', accepted: 'You accepted a position.',
  breaker: 'It reached the most attempts that one run may make.',
}
const noVote: Record<NoVote, string> = {
  missing: 'it gave none', malformed: 'it could not be read', ambiguous: 'it gave more than one',
  foreign: 'it repeated someone else’s', notLast: 'it was not at the end',
}
const gateEnd: Record<z.infer<typeof GateEndReason>, string> = {
  expired: 'Nobody answered in time.', askerGone: 'Whoever asked is gone.', askerLost: 'Whoever asked was lost in the restart.',
  withdrawn: 'It was taken back.', undeliverable: 'The answer could not be delivered.',
}
const gateKind: Record<GateKind, string> = {
  permission: 'Permission', budget: 'Budget', decision: 'Decision', retry: 'Retry', input: 'Question',
}
const toolKind: Record<ToolKindName, string> = {
  read: 'read', edit: 'edit', execute: 'run', search: 'search', fetch: 'fetch', think: 'think', other: 'tool',
}
type ToolKindName = z.infer<typeof ToolKind>
const toolStatus: Record<z.infer<typeof ToolStatus>, string> = {
  running: 'running', done: 'done', failed: 'failed', denied: 'denied', cancelled: 'cancelled',
}
const planStatus: Record<z.infer<typeof PlanEntry>['status'], string> = {
  pending: 'to do', inProgress: 'doing', done: 'done',
}
const session: Record<DeliveryRecord['session'], string> = {
  new: 'new', resumed: 'resumed', rebuilt: 'rebuilt', continued: 'continued',
}

/** Every visible word in English. */
export const en = {
  name: 'Parley',
  locale: 'en',
  count, list,
  states, stateTips, events, guards, errors,
  readiness, attempt, run, stopKind, noVote, gateEnd, gateKind, toolKind, toolStatus, planStatus, session,

  common: {
    cancel: 'Cancel', close: 'Close', back: 'Back', save: 'Save', delete: 'Delete', rename: 'Rename', edit: 'Edit', open: 'Open',
    copy: 'Copy', copied: 'Copied', more: 'Show more', reading: 'Reading…', rehearsal: 'rehearsal', you: 'you',
    none: 'none', and: 'and', dot: ' · ', tryAgain: 'Try again',
  },
  time: {
    ago: (time: string) => `${time} ago`,
    seconds: (n: string) => `${n} s`,
    days: (n: number) => count(n, 'day', 'days'),
    unknown: '–',
  },
  tokens: (n: string, estimated: boolean) => `${n} tokens${estimated ? ' (estimated)' : ''}`,
  cost: (usd: string, provenance: string) => `$${usd} ${provenance}`,
  characters: (n: number) => count(n, 'character', 'characters'),

  start: {
    opening: 'Opening…',
    noBridge: 'Parley works in its own window',
    noBridgeText: 'This page draws what the desktop application says, and no application is behind it here. Start Parley with npm start.',
    damaged: 'The record could not be read',
    newer: 'A newer Parley wrote this record',
    unwritable: 'Parley cannot write its record',
    locked: 'Another Parley has this record open',
    failed: 'Parley could not start',
    readOnlyText: 'Nothing was changed or overwritten. You can look at what is there; new runs are off until this is mended and Parley is started again.',
    banner: 'Read-only.',
    drained: 'Parley is closing',
    drainedText: 'It ends what still runs and writes the last of the record.',
    broken: 'This part of the window could not be drawn',
    brokenText: 'The run goes on; only its picture failed. Draw it again, or open something else.',
    drawAgain: 'Draw it again',
    quitNow: 'Quit',
  },

  sidebar: {
    label: 'Conversations', needsYou: 'Needs you', groups: 'Groups', agents: 'Agents', rehearsal: 'Rehearsal',
    noGroups: 'None yet. Two or more agents make a group.',
    find: 'Find or do', newConversation: 'New conversation', newChat: (agent: string) => `New chat with ${agent}`,
    fold: 'Fold the sidebar', unfold: 'Unfold the sidebar', welcome: 'Agents and rehearsal',
    theme: { system: 'Theme: follows the system', light: 'Theme: light', dark: 'Theme: dark' },
    allKeys: 'All keys', draft: 'unsent draft', queued: (n: number) => `${n} queued`, actions: (name: string) => `Actions for ${name}`,
    renameLabel: 'New name',
    deleteTitle: (name: string) => `Delete “${name}”?`,
    deleteText: 'Its messages, runs, answers, gates and drafts go for good. Files in its directory stay, and so does what the agents’ own tools keep of it.',
    deleteRunning: 'It is running. Stop the run first.',
    conversations: 'All conversations',
  },

  welcome: {
    title: 'Welcome',
    looking: (done: number, all: number) => `Looking for agents, ${done} of ${all}`,
    lookAgain: 'Look again',
    ready: (n: number) => (n === 0 ? 'No agent on this computer is ready yet' : `${wordFor(n)} on this computer ${n === 1 ? 'is' : 'are'} ready`),
    readyText: (others: number) => others === 0
      ? 'Start whenever you like.'
      : 'Start whenever you like. What the others need is one command; the rehearsal needs nothing at all.',
    agent: 'Agent', version: 'Version', state: 'State', mends: 'What mends it', talk: 'Talk', noVersion: 'none', noRemedy: 'no recipe for this system',
    askTitle: 'Ask your first question',
    askText: 'One agent, or two and more at one table. They may read a folder you choose; writing stays locked until you unlock it.',
    newGroup: 'New group', talkToOne: 'Talk to one agent',
    rehearsalTitle: 'Watch a rehearsal',
    rehearsalText: 'Three scripted agents disagree, ask you once, and settle. No key, no network, about a minute.',
    startRehearsal: 'Start the rehearsal',
    rehearsalName: 'Rehearsal',
    rehearsalTopic: 'Redis or Postgres for the job queue of a small team?',
    evidence: 'Evidence',
  },

  create: {
    title: 'New conversation', group: 'Group', direct: 'One agent', kind: 'Kind', name: 'Name', nameHint: 'Named by its first message if left empty',
    members: 'Members', agent: 'Agent', directory: 'Working directory', directoryHint: 'Agents read here. Parley’s own folder if left empty.', pick: 'Choose…',
    access: 'Access', readOnly: 'Read-only', write: 'May write',
    readOnlyText: 'They may read the directory and change nothing.',
    writeText: 'They may change files and run commands in the directory.',
    rounds: 'Rounds', blind: 'Blind first round', blindText: 'In round one all answer at once and none sees another.',
    unlimited: 'Unlimited', confirmUnlimited: 'Go on until they agree or I stop them',
    needTwo: 'A group needs two members or more.', needOne: 'Choose an agent.', needConfirm: 'Confirm that the rounds have no limit.',
    create: 'Create',
  },

  bar: {
    readOnly: 'Read-only', mayWrite: 'May write',
    readOnlyTip: 'Agents may read the working directory and change nothing',
    mayWriteTip: 'Agents may change files and run commands in the working directory',
    unlockTitle: 'Let the agents write?',
    unlockText: (workdir: string) => `From the next run on they may change files and run commands in ${workdir}. A run that is already going keeps what it started with.`,
    unlock: 'Let them write', lock: 'Make it read-only again',
    lockText: 'From the next run on they may only read.',
    directory: (path: string) => `Working directory ${path}. Choose another`,
    stop: 'Stop run', stopping: 'Stopping…', resume: 'Resume', showPanel: 'Show the panel', foldPanel: 'Fold the panel', diagram: 'Diagram',
    members: 'Members',
  },

  transcript: {
    label: 'Transcript', older: 'Show older messages', latest: 'Jump to latest', empty: 'Nothing has been asked here yet',
    emptyGroup: (names: string) => `${names} will answer in turn, see each other’s answers, and stop when they agree.`,
    emptyDirect: (name: string) => `${name} will answer.`,
    you: 'You', followUp: 'Goes on from the transcript of the run above', round: (n: number) => `Round ${n}`,
    roundOf: (n: number, all: number | null) => (all === null ? `Round ${n}` : `Round ${n} of ${all}`),
    blind: 'blind', inTurn: 'in turn', agreeing: (n: number, all: number) => `${n} of ${all} agree`,
    answers: (n: number) => count(n, 'answer', 'answers'), positions: (n: number) => count(n, 'position', 'positions'),
    someone: (name: string, word: string) => `${name} ${word}`,
    openRound: 'Open this round', foldRound: 'Fold this round',
    answer: (name: string) => `Answer of ${name}`, openAttempt: 'Open this attempt',
    tools: (n: number) => count(n, 'tool call', 'tool calls'), usingTool: (kind: string, title: string) => `${kind} ${title}`,
    reasoning: 'Reasoning', plan: 'Plan', planDone: (done: number, all: number) => `Plan, ${done} of ${all}`, noText: 'No text yet', nothingSaid: 'It said nothing.',
    recordEnds: 'The record ends here.', textKept: (n: string) => `What it had written is kept, ${n}.`, nothingKept: 'It had written nothing.',
    agrees: 'Agrees', changedAgrees: 'Agrees, and changed its mind', continues: 'Goes on', changedContinues: 'Goes on, and changed its mind',
    noVote: (why: string) => `No vote: ${why}`, why: (reason: string) => `because ${reason}`,
    omitted: 'something too long to keep', replaced: 'replaced',
  },

  ended: {
    agreed: (n: number) => `They agree after ${count(n, 'round', 'rounds')}`, completed: 'Everyone answered', partial: 'Not everyone answered',
    roundsUp: (n: number) => `No agreement after ${count(n, 'round', 'rounds')}`, failed: 'Nobody could answer', budgetSpent: 'The budget is spent',
    stopped: 'Stopped', interrupted: 'Interrupted', accepted: 'You accepted a position',
    positions: 'Where they stand', continueAll: 'Continue from transcript', retry: (name: string) => `Retry ${name}`, replace: 'Replace…',
    replaceWith: (name: string) => `with ${name}`, replaceSeat: (name: string) => `Replace ${name}`, leave: 'Leave as it is',
  },

  crash: {
    title: (time: string, round: number) => (round > 0 ? `Parley ended without warning at ${time}, in round ${round}` : `Parley ended without warning at ${time}`),
    kept: 'Kept', notKept: 'Not kept',
    everything: (time: string) => `Every message, vote and event up to ${time}`,
    text: (name: string, characters: string) => `${name}’s answer so far, ${characters}`,
    gate: (name: string) => `${name}’s gate, still waiting for you`, gates: 'Its gate, still waiting for you',
    queue: (n: number) => count(n, 'queued message', 'queued messages'), draft: 'Your draft',
    doing: (name: string, time: string) => `What ${name} was doing after ${time}`,
    output: 'Output of the last 50 ms or less', session: (names: string) => `The session of ${names}; a retry starts a new one`,
    processes: (n: number) => (n === 0 ? 'No process was left behind.' : `${count(n, 'leftover process was', 'leftover processes were')} ended at this start.`),
    readOnly: (workdir: string) => `No file in ${workdir} was writable for this run.`,
    write: (workdir: string) => `Agents could write in ${workdir}: look at it before you go on.`,
  },

  gate: {
    asks: (name: string, what: string) => `${name} asks to ${what}`,
    retry: (name: string) => `Let ${name} try again?`, retryText: 'Nobody knows whether its last try took effect.',
    waits: 'needs you', expiresIn: (time: string) => `expires in ${time}`, left: (time: string) => `${time} left`, noDeadline: 'no deadline',
    holds: (name: string) => `Holds up ${name}. Its slot is free; the clocks stand still.`, holdsRun: 'Holds up the whole run.',
    options: {
      allowOnce: 'Allow once', allowRun: 'Allow for this run', allowAlways: 'Allow always', deny: 'Deny', denyWithNote: 'Deny, say why',
      tryAgain: 'Try again', goOn: 'Go on', stop: 'Stop the run', accept: 'Accept this position', giveUp: 'Leave it failed',
    } satisfies Record<string, string> as Record<string, string>,
    consequences: {
      allowOnce: (name: string) => `${name} goes on from where it stopped`,
      allowRun: (name: string) => `The same for ${name} until this run ends`,
      allowAlways: (name: string) => `${name} is not asked about this again`,
      deny: (name: string) => `${name} is told no and finishes its turn without it`,
      denyWithNote: (name: string) => `Your sentence goes to ${name} as it is`,
      tryAgain: (name: string) => `${name} gets another process and the same prompt`,
      goOn: () => 'The next round opens',
      stop: () => 'The run ends here; everything said is kept',
      accept: () => 'The run ends with this as its conclusion, accepted by you',
      giveUp: (name: string) => `${name}’s turn stays failed`,
    } satisfies Record<string, (name: string) => string> as Record<string, (name: string) => string>,
    note: 'Say why', notePlaceholder: 'Your sentence, sent as it is', send: 'Send', sending: 'Sending…',
    answered: (option: string) => `You answered: ${option}`, applied: 'delivered', delivering: 'being delivered',
    expired: 'Expired', withdrawn: 'Withdrawn', withheld: 'Secrets are left out.',
    unanswered: (time: string) => `If nobody answers by ${time} the gate expires and ${'it counts as no'}. One answer counts; it cannot be changed.`,
    unansweredEver: 'It waits as long as it takes, also over a restart. One answer counts; it cannot be changed.',
    where: 'Where', access: 'Access', asked: 'Asked', tool: 'Tool', kind: 'Kind', bound: (time: string) => `${time}, bound to this attempt and this exact request`, whoWaits: 'Who waits',
    openConversation: 'Open in conversation', notHeld: 'not held', reason: (text: string) => `“${text}”`, question: 'Question',
  },

  inbox: {
    title: 'Needs you', gates: (n: number) => count(n, 'gate', 'gates'), order: 'soonest first', empty: 'Nothing waits for you',
    emptyText: 'When an agent asks for permission or a run needs a decision, it appears here, in its turn and in the sidebar.',
    list: 'Waiting gates', settled: 'Settled lately', next: 'next, previous', answer: 'answer', close: 'close',
  },

  composer: {
    to: 'To', first: 'Ask something', next: 'Write the next message', busy: 'Write the next message. It waits its turn.', label: 'Message',
    send: 'Send', queue: 'Queue', rounds: (n: number) => count(n, 'round', 'rounds'), unlimited: 'unlimited rounds', roundsLabel: 'Rounds',
    blind: 'Blind first, then in turn', inTurn: 'In turn', order: 'Order of the first round',
    confirmTitle: 'No limit on rounds?', confirmText: 'They go on until they agree or you stop them.', confirm: 'Send without a limit',
    queuedNext: (text: string) => `Next, when this run ends: “${text}”`, queuedLater: (text: string) => `Then: “${text}”`,
    withdraw: 'Withdraw', edit: 'Edit', queueLabel: 'Queued messages', target: (name: string) => `Ask ${name}`, tooMany: 'Too long',
    readOnly: 'Parley is read-only now; your draft is kept in this window.', refused: 'Not sent.', one: 'One agent alone answers in one round.',
  },

  panel: {
    label: 'Diagram and trace', diagram: 'Diagram', trace: 'Trace', chart: 'Chart', outline: 'Outline', view: 'View',
    board: 'Agents by rounds', round: (n: number, all: number | null) => (all === null ? `Round ${n}` : `Round ${n} of ${all}`), beforeRounds: 'Before the first round',
    agree: 'agree', notReached: 'not reached', notCalled: 'not called yet', blind: 'blind',
    cell: (name: string, round: number, word: string, time: string) => `${name}, round ${round}: ${word}${time ? `, ${time}` : ''}`,
    life: 'Proof of life', nothing: 'Nothing is running', lastEvent: (time: string) => `last event ${time}`, lost: (time: string) => `found lost at ${time}`,
    answer: 'Answer', stopAttempt: (name: string) => `Stop ${name}`, killAttempt: (name: string) => `Kill ${name}`, resize: 'Width of the panel',
    ways: (n: number) => `${n} reasons`, run: 'Run', whichChart: 'Which chart', noRun: 'Nothing has run here yet. The diagram of a run appears with its first message.',
    plate: (where: string) => `Statechart, now ${where}`, endsAs: 'ends as', legend: 'Legend', youCan: 'You can',
    traceEmpty: 'Nothing was done yet.', olderTrace: 'Earlier runs are in the transcript', picked: 'Run shown', message: (text: string) => `“${text}”`,
  },
  life: {
    awaits: 'awaits you', asked: (time: string) => `asked ${time} ago`, expires: (time: string) => `expires in ${time}`, noDeadline: 'no deadline',
    streaming: 'streaming', last: (time: string) => `last output ${time} ago`, silent: (time: string) => `silent for ${time}`, noOutput: 'no output yet',
    cap: (time: string) => `hard cap in ${time}`, silence: (time: string) => `ends if silent for ${time} more`, alive: (time: string) => `alive for ${time}`,
    queued: 'waits for a slot', since: (time: string) => `since ${time}`, launching: 'starting', backing: (time: string) => `backing off, next try in ${time}`, resuming: 'going on after your answer',
    stopping: (time: string | null) => (time === null ? 'stopping' : `stopping, killed in ${time}`), overdue: 'does not end, its process still lives', settling: 'writing down its answer',
    holding: 'The run is on hold', holdingText: 'nothing runs until you say so', stoppingRun: 'The run is stopping', stoppingText: 'until every process is gone', between: 'Between turns', waiting: 'the next speaker is being called',
    capStill: 'clocks stand still',
  },
  exits: {
    'run.stop': 'Stop run', 'run.pause': 'Hold after this round', 'run.resume': 'Resume', 'attempt.stop': 'Stop attempt', 'attempt.retry': 'Try again',
    'attempt.kill': 'Kill process', 'gate.answer': 'Answer', holdAfter: (round: number) => `Hold after round ${round}`,
  },
  outline: {
    now: 'now', entered: (n: number) => (n === 1 ? 'entered once' : n === 2 ? 'entered twice' : `entered ${n} times`), never: 'not entered', label: (machine: string) => `Outline of the ${machine}`,
    by: (event: string) => `by ${event}`, since: (time: string) => `since ${time}`, ended: 'ended here', final: 'end',
  },

  trace: {
    text: (n: string) => `wrote ${n}`, retrying: (attempt: number, max: number | null) => (max === null ? `its own retry ${attempt}` : `its own retry ${attempt} of ${max}`),
    usage: (tokens: string) => `${tokens} so far`, omitted: (what: string) => `left out: ${what}`, warning: 'warning', plan: 'plan', try: (n: number) => `try ${n}`,
    filter: 'Attempts', round: (name: string, round: number) => `${name}, round ${round}`, more: 'Read on',
  },

  attemptScreen: {
    title: (name: string, round: number) => `${name}, round ${round}`, path: 'Path taken', pathHint: 'every state it entered', timeline: 'Timeline', events: (n: number) => count(n, 'event', 'events'),
    tries: (n: number) => count(n, 'try', 'tries'), inAll: (time: string) => `${time} in all`, kept: (characters: string) => `${characters} kept`, noVote: 'no vote', denials: (n: number) => count(n, 'refusal', 'refusals'),
    sent: 'What it was sent', sentHint: 'exact bytes on record', try: 'Try', prompt: 'Prompt', sha: 'SHA-256', sources: 'Sources', mode: 'Mode', session: 'Session', readOnly: 'read-only', write: 'write', nothingSent: 'Nothing was sent.',
    openPrompt: (n: number) => `Open the prompt of try ${n}`, promptTitle: (n: number) => `The prompt of try ${n}, exactly as it was sent`,
    did: 'What it did', nothingDid: 'It used no tools.', said: 'What it said', why: 'Why it ended', asked: 'What it asked', cause: 'cause',
    stop: 'Stop attempt', retry: 'Retry', replace: (name: string) => `Replace ${name}…`, followUp: 'Continue from transcript', kill: 'Kill process', nothingNow: 'Nothing needs to be done here now.',
    retryFollowUp: 'Starts a linked run from the transcript', untouched: 'Only this attempt is touched', gone: 'This attempt cannot be read', conversation: 'Conversation',
  },

  palette: {
    label: 'Find or do', placeholder: 'Find a conversation, or say what to do', commands: 'Do', conversations: 'Find', nothing: 'Nothing by that name.', rehearsal: 'Start the rehearsal',
    theme: { system: 'Theme: follow the system', light: 'Theme: light', dark: 'Theme: dark' }, quit: 'Quit Parley', newConversation: 'New conversation', inbox: 'Open what needs you', welcome: 'Agents on this computer', scan: 'Look for agents again',
    stop: 'Stop this run', sidebar: 'Fold or unfold the sidebar', panel: 'Fold or unfold the panel', keys: 'All keys', rename: 'Rename this conversation', pause: 'Hold after this round', resume: 'Resume this run',
  },
  quit: { title: 'Quit Parley?', text: 'These runs are interrupted. What they have written is kept, and gates that wait go on waiting.', quit: 'Quit and interrupt', stay: 'Stay' },
  keys: {
    title: 'All keys', find: 'Find or do', create: 'New conversation', sidebar: 'Fold the sidebar', panel: 'Fold the panel', stop: 'Stop this run', region: 'Next region', gate: 'Next gate',
    move: 'Next, previous in a list', answer: 'Answer the focused gate', send: 'Send or queue', line: 'New line', keys: 'All keys', close: 'Close the topmost thing', board: 'Move on the board and in the outline',
  },
}

function wordFor(n: number) {
  const words = ['No agent', 'One agent', 'Two agents', 'Three agents', 'Four agents', 'Five agents', 'Six agents']
  return words[n] ?? `${n} agents`
}
