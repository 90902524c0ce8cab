import type { Bridge } from '../shared/ipc.ts'

declare global {
  interface Window {
    readonly parley?: Bridge
  }
}

/** What main gave the page; `null` where the page was opened by itself. */
export const findBridge = (): Bridge | null => window.parley ?? null
