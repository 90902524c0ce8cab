import { test } from 'vitest'
import { Stage } from './stage.ts'
import { attemptEvents, now } from './events.ts'
import { walk } from './walk.ts'
import { chartOf } from '../../machines/chart.ts'

test('x', () => {
  for (const [allowWrite, mayContinue, launchesLeft, maxTries] of [[true, true, 3, 2], [false, true, 2, 2], [false, false, 3, 2], [true, false, 1, 2]] as const) {
    const stage = new Stage('one')
    const t = Date.now()
    const w = walk({ machine: stage.attempt({ alone: true }), limit: 20000, events: (a) => attemptEvents([a.getSnapshot().context.gate?.gateId ?? 'gate:none', 'gate:other']),
      input: { attemptId: 'run:1/1/a/1', runId: 'run:1', conversationId: 'c:1', round: 1, seat: 'rehearsal:bold', agent: 'rehearsal:bold', allowWrite, mayContinue, maxTries, launchesLeft, capMs: 1000, silenceMs: 1000, at: now } })
    console.log(w.reached.size, w.closed, Date.now() - t, 'ms')
    const c = chartOf('attempt')
    console.log([...c.edges, ...c.internal].map(e => e.id).filter(id => !w.taken.has(id)))
  }
}, 120000)
