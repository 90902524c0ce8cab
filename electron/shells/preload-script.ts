import { callChannel, pageSwitch, pushChannel } from './channels.ts'

/** The function that carries calls out of the page. It is taken away before any script of the page runs. */
export const callBinding = '__parleyCall'

/** The function that carries pushes into the page. */
export const pushFunction = '__parleyPush'

/**
 * Wraps the built preload, as it is, so that a plain browser can run it: with stand-ins for the few parts of
 * `electron` and `process` that it uses.
 */
export const preloadScript = (preload: string, pageUrl: string) => `(() => {
  const call = window[${text(callBinding)}]
  delete window[${text(callBinding)}]
  if (window !== window.top || location.href.split('#')[0] !== ${text(pageUrl)}) return

  let hear = () => {}
  Object.defineProperty(window, ${text(pushFunction)}, { value: (envelopes) => hear({}, envelopes) })
  const electron = {
    contextBridge: {
      exposeInMainWorld: (name, bridge) => {
        Object.defineProperty(window, name, { value: Object.freeze(bridge), enumerable: true })
      },
    },
    ipcRenderer: {
      invoke: (channel, ...values) => {
        if (channel !== ${text(callChannel)}) throw new Error('The preload may use one channel only.')
        return call(...values)
      },
      // the developer protocol's own answer says that a batch was taken
      send: () => {},
      on: (channel, listener) => {
        if (channel === ${text(pushChannel)}) hear = listener
      },
    },
  }
  const process = { argv: [${text(pageSwitch + pageUrl)}] }
  const require = (name) => {
    if (name === 'electron') return electron
    throw new Error('The preload may require electron only.')
  }
  const module = { exports: {} }
  const run = (require, process, module, exports) => {
${preload}
  }
  run(require, process, module, module.exports)
})()`

const text = (value: string) => JSON.stringify(value)
