import { expect, test } from 'vitest'
import { GateWorld, type Origin, type Step } from './gate-world.ts'
import { Disk } from './one-asker.ts'

/** How many things happen between two crashes, and how many starts there are. `npm run test:orders` goes to the end. */
const depth = Number(process.env['GATE_ORDERS'] ?? 3)
const startsMax = 3
const toTheEnd = 'GATE_ORDERS' in process.env
const minutes = 60 * 60_000

/** After the last crash it is enough to see that all is at rest. */
const depthOf = ({ starts }: Origin) =>
  starts === 0 ? asked.length + depth : starts === startsMax - 1 ? 1 : depth

/** How an agent comes to ask: its process is there, and it has asked. */
const asked: Step[] = ['disk', 'ask']

/**
 * Walks every order of answers, expiry, withdrawal, the end of the asker, orders of the person and writes that the
 * disk has taken, with a crash before and after every cut of the two roots, and tells what each sentence is broken by.
 */
const walked = async (mayContinue: boolean) => {
  const first: Origin = { disk: new Disk(), facts: { delivered: [], accepted: [] }, starts: 0, mayContinue }
  const seen = new Set<string>()
  const begun = new Set<string>()
  const ends = new Set<string>()
  const broken = new Set<string>()
  let closed = true
  const open: { origin: Origin; path: Step[] }[] = [{ origin: first, path: asked }]
  for (let at = 0; at < open.length; at += 1) {
    const { origin, path } = open[at]!
    const world = new GateWorld(origin)
    await world.go(path)
    const print = `${origin.starts} ${world.print}`
    const isNew = !seen.has(print)
    const mayGoOn = path.length < depthOf(origin)
    if (isNew && !mayGoOn && origin.starts < startsMax - 1 && world.possible.length > 0) closed = false
    if (isNew && mayGoOn) {
      for (const step of world.possible) open.push({ origin, path: [...path, step] })
    }
    seen.add(print)
    if (world.gate) ends.add(`${world.gate.status} ${world.gate.endReason ?? ''}`.trim())
    for (const [name, crash] of world.crashes) {
      if (crash.starts >= startsMax || begun.has(name)) continue
      begun.add(name)
      const how = `${origin.how ?? ''} / ${path.join(', ')}, crash`
      open.push({ origin: { ...crash, how }, path: [] })
    }
    if (isNew) {
      for (const sentence of await brokenIn(world)) broken.add(`${sentence}: ${origin.how ?? ''} / ${path.join(', ')}`)
    }
    world.rest()
  }
  return { closed, crashes: begun.size, ends: [...ends].toSorted(), broken: [...broken] }
}

/** The sentences that do not hold here. */
const brokenIn = async (world: GateWorld): Promise<string[]> => {
  const broken = Object.keys(sentences).filter((sentence) => !sentences[sentence]?.(world))
  return (await world.answerLate()) ? [...broken, 'an answer that comes too late changes nothing'] : broken
}

const sentences: Record<string, (world: GateWorld) => boolean> = {
  'an agent hears once at most: the answer that was stored, or a no where the gate ended without one': (world) => {
    const { facts, gate } = world
    const isFitting = ({ effect }: { effect: string }) =>
      effect === gate?.decision?.effect || (effect === 'deny' && gate?.endReason !== null)
    return facts.delivered.length <= 1 && facts.delivered.every(isFitting)
  },

  'a person is told that one answer stands, and that one is stored for good': ({ facts, gate }) =>
    new Set(facts.accepted).size <= 1 && facts.accepted.every((optionId) => optionId === gate?.decision?.optionId),

  'a gate keeps its id and its deadline': ({ gates, deadline }) =>
    gates.length <= 1 && gates.every(({ expiresAt }) => expiresAt === deadline),

  'a gate that nobody has use for any more is settled at once': ({ gate, holdsGate, waitsForDisk }) =>
    gate === null || holdsGate || waitsForDisk || isSettled(gate),

  'nobody waits at a gate that is settled': ({ gate, attempt, waitsForDisk }) =>
    !['awaitingGate', 'parked'].includes(attempt) || waitsForDisk || !isSettled(gate),

  'whatever waits has a clock': (world) => {
    if (world.gate?.status === 'waiting') return world.waitsForDisk || world.hasDeadline('gate.expired')
    return world.gate === null || isSettled(world.gate) || world.waitsForDisk || world.hasDeadline('delivery.expired')
  },

  'what has ended says why': ({ gate }) =>
    !isSettled(gate) || gate?.status === 'applied' || gate?.endReason !== null,

  'an approval that was applied is delivered, or on its way, or its turn says that it did not complete': (world) => {
    const { gate, attempt, facts } = world
    if (gate?.status !== 'applied' || gate.decision?.effect !== 'grant' || facts.delivered.length > 0) return true
    return attempt !== 'completed'
  },

  'an approval that an agent has is not told as undeliverable': ({ gate, facts }) =>
    gate?.endReason !== 'undeliverable' || facts.delivered.every(({ effect }) => effect === 'deny'),

  'only an approval lets a turn go on after a crash': ({ facts }) =>
    facts.delivered.every(({ how, effect }) => how === 'answer' || effect === 'grant'),
}

const isSettled = (gate: GateWorld['gate']): boolean =>
  gate !== null && ['applied', 'expired', 'withdrawn'].includes(gate.status)

const settledEnds = ['applied', 'expired askerGone', 'expired expired', 'withdrawn withdrawn']

test('in every order an answer is delivered once or told as expired, and nothing waits forever', async () => {
  const { broken, ends, crashes, closed } = await walked(true)
  expect(broken).toEqual([])
  expect(closed).toBe(toTheEnd)
  expect(ends).toEqual(expect.arrayContaining([...settledEnds, 'waiting', 'applying']))
  expect(crashes).toBeGreaterThan(50)
}, minutes)

test('where no new process can go on, a crash ends the gate with its reason', async () => {
  const { broken, ends } = await walked(false)
  expect(broken).toEqual([])
  expect(ends).toEqual(expect.arrayContaining([...settledEnds, 'expired askerLost']))
}, minutes)
