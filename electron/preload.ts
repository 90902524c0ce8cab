import { contextBridge, ipcRenderer } from 'electron'
import { isCommandName, isPushName } from '../shared/command-names.ts'
import type { Bridge, Envelope, Reply } from '../shared/ipc.ts'
import { callChannel, pageSwitch, pushChannel, takenChannel } from './shells/channels.ts'

// the compiler's settings for main have no page; this is all of it that is needed here
declare const window: { readonly top: unknown; readonly location: { readonly href: string } }

/** Gives the bundled page its bridge, and gives nothing to any other page or frame. */
const page = process.argv.find((argument) => argument.startsWith(pageSwitch))?.slice(pageSwitch.length)
if (window === window.top && window.location.href.split('#')[0] === page) {
  contextBridge.exposeInMainWorld('parley', makeBridge())
}

function makeBridge(): Bridge {
  const listeners = new Set<(envelopes: readonly Envelope[]) => void>()
  ipcRenderer.on(pushChannel, (_event, envelopes: unknown) => {
    const wellFormed = readEnvelopes(envelopes)
    try {
      if (wellFormed.length > 0) for (const hear of listeners) hear(wellFormed)
    } finally {
      ipcRenderer.send(takenChannel)
    }
  })
  return {
    // main parsed the reply by the contract of this very command
    call: (async (name, input): Promise<unknown> =>
      isCommandName(name) ? ipcRenderer.invoke(callChannel, name, JSON.stringify(input)) : unknownCommand
    ) as Bridge['call'],
    listen: (hear) => {
      // a wrapper of its own for each call, so that listening twice with one function is listening twice
      const listener = (envelopes: readonly Envelope[]) => hear(envelopes)
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

const unknownCommand: Reply<never> = {
  ok: false,
  failure: { code: 'ipc.unknown-command', message: 'There is no such command.' },
}

/** Main made and parsed the bodies; what does not even look like an envelope is dropped. */
const readEnvelopes = (batch: unknown): Envelope[] => (Array.isArray(batch) ? batch.filter(isEnvelope) : [])

const isEnvelope = (envelope: unknown): envelope is Envelope =>
  typeof envelope === 'object' && envelope !== null
  && 'topic' in envelope && isPushName(envelope.topic)
  && 'seq' in envelope && Number.isSafeInteger(envelope.seq)
  && 'at' in envelope && typeof envelope.at === 'number'
  && 'body' in envelope && typeof envelope.body === 'object' && envelope.body !== null
