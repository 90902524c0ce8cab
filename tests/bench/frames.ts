import { ask, fourKinds, openBenchWindow, showConversation, workMeter } from './bench-window.ts'
import { quantile, type Figure } from './figure.ts'
import { removeFolder, seededFolder } from './seed.ts'

const tokenMs = 1_000 / 120
const measuredMs = 6_000
const keyMs = 80
const seconds = measuredMs / 1_000

/** How smooth the window is while four agents speak at 120 tokens a second and the person types. */
export const measureFrames = async (): Promise<Figure[]> => {
  const folder = seededFolder({ conversations: 50, runsPerConversation: 20, turnsPerRun: 9 })
  const enough = Promise.withResolvers<void>()
  const speech = { goesOn: true }
  void enough.promise.then(() => { speech.goesOn = false })
  const window = await openBenchWindow(folder, async ({ say }) => {
    const begun = performance.now()
    for (let token = 0; speech.goesOn; token += 1) {
      while (performance.now() - begun < token * tokenMs) await new Promise((done) => { setTimeout(done, 4) })
      say(token % 120 === 119 ? '.\n\n' : ' token')
    }
  })
  try {
    const conversationId = await showConversation(window, { kind: 'group', members: [...fourKinds] })
    const quiet = await window.page.evaluate(frameTimes, measuredMs / 3)
    await ask(window, conversationId)
    const { page } = window
    await page.waitForFunction(
      (count) => document.querySelectorAll('[aria-busy="true"] .said').length === count, fourKinds.length,
    )
    const field = page.getByRole('textbox', { name: 'Message' })
    await field.focus()
    const work = await workMeter(window)
    const before = await work()
    const frames = page.evaluate(frameTimes, measuredMs)
    const until = performance.now() + measuredMs
    let typed = 0
    for (; performance.now() < until; typed += 1) await page.keyboard.type('a', { delay: keyMs })
    const times = await frames
    const after = await work()
    const taken = (await field.inputValue()).length
    enough.resolve()
    if (taken < typed) throw new Error(`Of ${typed} keys the composer took ${taken}.`)
    return [
      {
        what: 'four agents at 120 tokens/s while typing',
        value: times.length / seconds,
        unit: 'frames/s',
        budget: { atLeast: 55 },
      },
      { what: '  the slowest of 20 frames', value: quantile(times, 0.95), unit: 'ms', budget: null },
      {
        what: '  the same page before anybody speaks',
        value: quiet.length / (seconds / 3),
        unit: 'frames/s',
        budget: null,
      },
      { what: '  each second the page works', value: (after.page - before.page) / seconds, unit: 'ms', budget: null },
      { what: '  and main', value: (after.main - before.main) / seconds, unit: 'ms', budget: null },
    ]
  } finally {
    enough.resolve()
    await window.close()
    removeFolder(folder)
  }
}

/** Runs in the page: how long each frame took. */
const frameTimes = async (forMs: number): Promise<number[]> => {
  const times: number[] = []
  const begun = performance.now()
  for (let last = begun; last - begun < forMs;) {
    const now = await new Promise<number>((done) => { requestAnimationFrame(() => done(performance.now())) })
    times.push(now - last)
    last = now
  }
  return times
}
