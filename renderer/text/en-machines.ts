import type { ErrorCode } from '../../shared/errors.ts'

/** What each state of the charts is called on them. */
export const states: Record<string, string> = {
  run: 'run', round: 'round', attempt: 'attempt', gate: 'gate', lifecycle: 'lifecycle',
  preparing: 'preparing', accepting: 'accepting', weighing: 'weighing', conferring: 'conferring', discussing: 'discussing', held: 'held', stopping: 'stopping',
  holding: 'holding', paused: 'paused', deciding: 'deciding', concluding: 'concluding', writing: 'writing', unwritten: 'unwritten', refused: 'refused', agreed: 'agreed',
  completed: 'completed', partial: 'partial', roundsUp: 'rounds up', failed: 'failed', budgetSpent: 'budget spent', stopped: 'stopped', interrupted: 'interrupted',
  calling: 'calling', listening: 'listening', mending: 'mending', tallied: 'tallied',
  onFloor: 'on floor', queued: 'queued', working: 'working', speaking: 'speaking', launching: 'launching', streaming: 'streaming', awaitingGate: 'awaiting gate', resuming: 'resuming',
  ending: 'ending', overdue: 'overdue', settling: 'settling', judging: 'judging', backingOff: 'backing off', parked: 'parked', timedOut: 'timed out', skipped: 'skipped',
  waiting: 'waiting', answered: 'answered', applying: 'applying', applied: 'applied', expired: 'expired', withdrawn: 'withdrawn',
  starting: 'starting', opening: 'opening', restoring: 'restoring', ready: 'ready', serving: 'serving', surveying: 'surveying', askingToQuit: 'asking to quit', readOnly: 'read-only', draining: 'draining', closing: 'closing', closed: 'closed',
}

/** What a state means, where its name needs a sentence. */
export const stateTips: Record<string, string> = {
  preparing: 'Checks that everything needed is there', accepting: 'Writes the message and the run down', weighing: 'Decides what comes next', conferring: 'A round is going on', discussing: 'Agents have the floor', held: 'The round waits for an answer about the budget',
  holding: 'Nothing runs until you say so', paused: 'You put it on hold', deciding: 'Waits for your decision', concluding: 'Writes the conclusion', unwritten: 'The conclusion could not be written yet',
  calling: 'Chooses who speaks next', listening: 'Someone has the floor', mending: 'Settles what a restart left', queued: 'Waits for a free slot', launching: 'Its process is starting', streaming: 'It is answering', awaitingGate: 'It waits for you', resuming: 'It goes on with your answer',
  ending: 'Its process is being ended', overdue: 'Its process does not end', settling: 'Its answer is written down', judging: 'Decides how the attempt ended', backingOff: 'Waits before the next try', parked: 'Waits for you without a process', waiting: 'Waits for your answer', answered: 'Waits for the asker', applying: 'The answer is being delivered',
}

/** What happened, or was asked for, in words. */
export const events: Record<string, string> = {
  'run.stop': 'stop the run', 'run.pause': 'hold after this round', 'run.resume': 'resume', 'run.interrupt': 'Parley closes', 'run.lost': 'lost in a restart', 'run.hurry': 'hurry the stop', 'run.started': 'the run started',
  'preflight.passed': 'checks passed', 'preflight.refused': 'checks refused', 'preflight.expired': 'checks took too long', 'task.accepted': 'written down', 'task.unrecorded': 'could not be written down',
  'round.done': 'the round is done', 'round.broke': 'the round broke', 'round.held': 'the round holds', 'round.hold': 'hold the round', 'round.resume': 'go on with the round', 'round.stop': 'stop the round', 'round.hurry': 'hurry the round', 'round.lost': 'lost in a restart',
  'budget.reached': 'the budget is reached', 'budget.warned': 'the budget is near', 'position.accept': 'accept a position', 'gate.answered': 'you answered', 'gate.closed': 'the gate closed', 'gate.answer': 'answer', 'gate.expired': 'nobody answered in time', 'gate.withdraw': 'taken back', 'gate.lost': 'lost in a restart', 'gate.deliver': 'deliver the answer',
  'seat.retry': 'let a seat try again', 'seat.replace': 'replace a seat', 'seat.cancel': 'stop a seat', 'minutes.written': 'the conclusion is written', 'minutes.unwritten': 'the conclusion is not written', 'minutes.due': 'time to write again', 'minutes.retry': 'write it again',
  'attempt.settled': 'an attempt settled', 'attempt.broke': 'an attempt broke', 'attempt.resumed': 'an attempt goes on', 'attempt.stop': 'stop the attempt', 'attempt.kill': 'kill its process', 'attempt.retry': 'try again', 'attempt.lost': 'lost in a restart', 'attempt.called': 'it was called',
  'lease.granted': 'it got a slot', 'agent.started': 'its process started', 'agent.asked': 'it asks you', 'agent.finished': 'it finished', 'agent.failed': 'it failed', 'agent.silent': 'it was silent too long', 'agent.gone': 'its process is gone', 'agent.reported': 'it reported',
  'launch.expired': 'it did not start in time', 'cap.expired': 'the hard cap is reached', 'kill.expired': 'it ignored the stop', 'settling.expired': 'writing took too long', 'computer.woke': 'the computer woke up', 'reply.kept': 'its answer is kept', 'reply.unkept': 'its answer could not be kept', 'backoff.passed': 'time for the next try',
  'asker.ready': 'the asker is there', 'asker.gone': 'the asker is gone', 'decision.applied': 'the answer was taken', 'decision.failed': 'the answer was not taken', 'delivery.expired': 'delivery took too long',
  'stores.opened': 'the record is open', 'stores.untrusted': 'the record cannot be trusted', 'work.restored': 'work is restored', 'app.quit': 'quit', 'app.mustQuit': 'the system closes Parley', 'quit.surveyed': 'what runs is known', 'quit.cancel': 'stay', 'quit.confirm': 'quit after all', 'ledger.failed': 'the record cannot be written', 'work.ended': 'all work has ended', 'stores.closed': 'the record is closed', 'wait.expired': 'it took too long',
  'xstate.init': 'it began', 'xstate.done': 'done', always: 'at once',
}

/** Under which condition an arrow is taken. */
export const guards: Record<string, string> = {
  everyoneAgrees: 'everyone agrees', roundsAreUp: 'rounds are up', everyoneFailed: 'everyone failed', mayTryAgain: 'it may try again',
}

/** What each refusal or failure means to the person, and what to do about it. */
export const errors: Record<ErrorCode, string> = {
  'agent.not-found': 'The agent is not on this computer. Install it, then look again.',
  'agent.incompatible': 'This version of the agent does not speak what Parley speaks. Install the version shown with it.',
  'agent.unauthorized': 'The agent is not logged in, or its key was refused. Log in with its own command, then retry.',
  'agent.forbidden': 'The account may not use this. Check the plan or choose another agent.',
  'agent.rate-limited': 'The provider asks for a pause. Retry a little later.',
  'agent.unreachable': 'The provider could not be reached. Check the network, then retry.',
  'agent.provider-failed': 'The provider had a failure of its own. Retry a little later.',
  'agent.garbled': 'The agent said something that could not be read.',
  'agent.output-limit': 'The agent wrote more than Parley keeps for one turn.',
  'agent.session-lost': 'The agent no longer knows this session. A retry starts a new one from the transcript.',
  'agent.silent': 'The agent was silent for too long and was ended.',
  'agent.first-byte-late': 'The agent did not begin to answer in time.',
  'agent.cap-reached': 'The agent reached the hard cap on one turn and was ended.',
  'agent.crashed': 'The agent’s process ended by itself.',
  'agent.spawn-failed': 'The agent could not be started.',
  'agent.refused': 'The agent refused to answer this.',
  'agent.denied': 'It needed something that was denied.',
  'agent.cancelled': 'The turn was cancelled.',
  'agent.busy': 'The agent is busy with another turn.',
  'agent.outcome-unknown': 'Nobody knows whether its last try took effect. Look at the directory before trying again.',
  'workdir.missing': 'The working directory is not there any more. Choose another one.',
  'workdir.unwritable': 'The working directory cannot be written. Choose another one, or make it read-only.',
  'app.restarted': 'Parley ended while this was running.',
  'app.shutting-down': 'Parley is closing and takes nothing new.',
  'app.read-only': 'Parley is read-only now, so nothing can be changed.',
  'breaker.tripped': 'The run reached the most attempts that one run may make.',
  'conversation.unknown': 'This conversation is gone.',
  'conversation.busy': 'A run is going on here. Stop it first.',
  'conversation.members-locked': 'Members cannot change while a run is going on.',
  'conversation.too-few-members': 'A group needs two members or more.',
  'message.empty': 'There is nothing to send yet.',
  'message.target-outside': 'One of those asked is not a member here.',
  'message.too-few-targets': 'A discussion needs two agents or more. Add one, or ask for one round.',
  'message.too-long': 'The message is longer than Parley takes.',
  'message.unlimited-unconfirmed': 'Confirm first that the rounds have no limit.',
  'queue.full': 'The queue is full. Withdraw something, or wait for the run to end.',
  'queue.unknown': 'That message is no longer queued; it may have been sent.',
  'run.unknown': 'This run is gone.',
  'run.settled': 'The run has already ended.',
  'run.not-settled': 'The run is still going on.',
  'run.cannot': 'The run cannot do that in the state it is in.',
  'attempt.unknown': 'This attempt is gone.',
  'attempt.cannot': 'The attempt cannot do that in the state it is in.',
  'gate.unknown': 'This gate is gone.',
  'gate.already-answered': 'Another answer was given first, and the first one counts.',
  'gate.closed': 'The gate is closed; it takes no answer any more.',
  'gate.option-unknown': 'That answer is not one of the gate’s.',
  'delivery.unknown': 'What was sent here is no longer on record.',
  'ledger.unwritable': 'The record cannot be written. Check the space and the permissions of Parley’s data folder.',
  'ledger.damaged': 'The record is damaged. The file was kept as it is, with a copy beside it.',
  'ledger.newer': 'The record was written by a newer Parley. Start that version, or use another data folder.',
  'ledger.locked': 'Another Parley has this data folder open. Close it, or use another data folder.',
  'snapshot.unreadable': 'What was stored of this run cannot be read by this version.',
  'machine.not-provided': 'A part of Parley is missing from this build.',
  'ipc.untrusted-sender': 'The request did not come from Parley’s own page.',
  'ipc.unknown-command': 'Parley does not know this request.',
  'ipc.bad-input': 'The request was not well formed.',
  'ipc.too-large': 'The request was too large.',
  'shell.unavailable': 'This is not possible in the window Parley runs in here.',
  'link.refused': 'Only https links can be opened.',
  'usage.bad': 'The switches given at the start do not fit together.',
  'internal.unexpected': 'Something unexpected happened. Nothing was lost; try again.',
}
