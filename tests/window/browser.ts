import { findBrowser as findAnyBrowser } from '../../electron/shells/find-browser.ts'

/** The headless browser that the window tests drive. */
export const findBrowser = () => findAnyBrowser({ headless: true })
