import type { ShellPort } from '../../electron/shell.ts'

/** A shell that opens nothing, picks nothing, and keeps no secrets. */
export const quietShell: ShellPort = {
  kind: 'terminal',
  pickDirectory: async () => null,
  pickFile: async () => null,
  saveFile: async () => null,
  openLink: async () => undefined,
  quit: () => undefined,
  secrets: { available: () => false, protect: (text) => text, reveal: (text) => text },
}
