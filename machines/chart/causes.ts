import type { AttemptEvent } from '../attempt/memory.ts'
import type { GateEvent } from '../gate/memory.ts'
import type { InstallEvent } from '../install/memory.ts'
import type { LifecycleEvent } from '../lifecycle/memory.ts'
import type { RoundEvent } from '../round/memory.ts'
import type { RunEvent } from '../run/memory.ts'

/** Who brings an arrow about: a person, a clock, a new start of the app, or something that happened. */
export type Cause = 'person' | 'clock' | 'restart' | 'fact'

type AnyEvent = RunEvent | RoundEvent | AttemptEvent | GateEvent | LifecycleEvent | InstallEvent
type NamedEvent = Exclude<AnyEvent['type'], `xstate.${string}`>

/** The cause of an event, and of the one guard that is true after a restart only. */
export const causeOf = (event: string | null, guard: string | null): Cause => {
  if (guard === 'theRoundWasLost') return 'restart'
  return event !== null && isNamed(event) ? causes[event] : 'fact'
}

const isNamed = (event: string): event is NamedEvent => event in causes

const causes: Record<NamedEvent, Cause> = {
  'run.stop': 'person',
  'run.pause': 'person',
  'run.resume': 'person',
  'run.hurry': 'person',
  'seat.retry': 'person',
  'seat.replace': 'person',
  'seat.cancel': 'person',
  'seat.kill': 'person',
  'minutes.retry': 'person',
  'round.stop': 'person',
  'round.hurry': 'person',
  'attempt.stop': 'person',
  'attempt.retry': 'person',
  'attempt.kill': 'person',
  'gate.answer': 'person',
  'gate.answered': 'person',
  'app.quit': 'person',
  'app.mustQuit': 'person',
  'quit.wait': 'person',
  'quit.confirm': 'person',
  'quit.cancel': 'person',
  'install.start': 'person',
  'install.left': 'restart',
  'install.cancel': 'person',

  'agent.silent': 'clock',
  'launch.expired': 'clock',
  'cap.expired': 'clock',
  'kill.expired': 'clock',
  'settling.expired': 'clock',
  'backoff.passed': 'clock',
  'preflight.expired': 'clock',
  'minutes.due': 'clock',
  'gate.expired': 'clock',
  'delivery.expired': 'clock',
  'wait.expired': 'clock',

  'run.lost': 'restart',
  'attempt.lost': 'restart',
  'gate.lost': 'restart',

  'preflight.passed': 'fact',
  'preflight.refused': 'fact',
  'task.accepted': 'fact',
  'task.unrecorded': 'fact',
  'minutes.written': 'fact',
  'minutes.unwritten': 'fact',
  'run.interrupt': 'fact',
  'computer.woke': 'fact',
  'attempt.resumed': 'fact',
  'lease.granted': 'fact',
  'agent.started': 'fact',
  'agent.asked': 'fact',
  'agent.finished': 'fact',
  'agent.failed': 'fact',
  'agent.gone': 'fact',
  'reply.kept': 'fact',
  'reply.unkept': 'fact',
  'gate.closed': 'fact',
  'gate.withdraw': 'fact',
  'asker.ready': 'fact',
  'asker.gone': 'fact',
  'decision.applied': 'fact',
  'decision.failed': 'fact',
  'stores.opened': 'fact',
  'stores.untrusted': 'fact',
  'stores.closed': 'fact',
  'disk.writable': 'fact',
  'work.restored': 'fact',
  'work.rested': 'fact',
  'work.ended': 'fact',
  'children.gone': 'fact',
  'quit.surveyed': 'fact',
  'ledger.failed': 'fact',
  'install.checked': 'fact',
  'package.verified': 'fact',
  'package.fetched': 'fact',
  'package.installed': 'fact',
  'install.confirmed': 'fact',
  'install.failed': 'fact',
  'install.cleared': 'fact',
  'install.uncleared': 'fact',
}
