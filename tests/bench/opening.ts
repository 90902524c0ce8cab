import { median, type Figure } from './figure.ts'
import { openBenchWindow, workMeter } from './bench-window.ts'
import { removeFolder, seededFolder } from './seed.ts'

const repeats = 9
const runs = 500

/** From a click on a conversation of 5,000 messages to its last page in sight. */
export const measureOpening = async (): Promise<Figure[]> => {
  // the newest is open when a page is loaded; the other is clicked
  const folder = seededFolder({ conversations: 2, runsPerConversation: runs, turnsPerRun: 9 })
  const window = await openBenchWindow(folder, () => undefined)
  try {
    const work = await workMeter(window)
    const [times, pageTimes, mainTimes]: [number[], number[], number[]] = [[], [], []]
    for (let repeat = 0; repeat <= repeats; repeat += 1) {
      // a page that was loaded anew has read no conversation yet
      await window.page.reload()
      await window.page.locator('section.run').first().waitFor()
      const before = await work()
      times.push(await window.page.evaluate(clickUntilSeen, `Question ${runs}, and some words`))
      const after = await work()
      pageTimes.push(after.page - before.page)
      mainTimes.push(after.main - before.main)
    }
    return [
      // the first is for the compilers to warm up
      {
        what: 'open a conversation of 5,000 messages in the browser',
        value: median(times.slice(1)),
        unit: 'ms',
        budget: { atMost: 200 },
      },
      { what: '  for which the page works', value: median(pageTimes.slice(1)), unit: 'ms', budget: null },
      { what: '  and main', value: median(mainTimes.slice(1)), unit: 'ms', budget: null },
    ]
  } finally {
    await window.close()
    removeFolder(folder)
  }
}

/** Runs in the page: clicks, and waits until a frame was drawn with these words in it. */
const clickUntilSeen = async (words: string): Promise<number> => {
  const nextFrame = () => new Promise((done) => { requestAnimationFrame(done) })
  const row = [...document.querySelectorAll('button')].find(({ textContent }) => textContent.includes('Seeded talk 1'))
  const before = performance.now()
  row?.click()
  const isSeen = () => document.querySelector('.transcript')?.textContent.includes(words) ?? false
  while (!isSeen()) await nextFrame()
  await nextFrame()
  return performance.now() - before
}
