import { useNavigation } from '../state/place.ts'
import { CreateDialog } from './CreateDialog.tsx'
import { ExportSheet } from './ExportSheet.tsx'
import { ImageSheet } from './Images.tsx'
import { ImportSheet } from './ImportSheet.tsx'
import { KeysSheet } from './KeysSheet.tsx'
import { Palette } from './Palette.tsx'
import { QuitDialog } from './QuitDialog.tsx'
import { SettingsSheet } from './SettingsSheet.tsx'

/** The one thing that lies on top of the window, if any. */
export const Overlays = () => {
  const { overlay } = useNavigation()
  switch (overlay?.name) {
    case 'palette':
      return <Palette />
    case 'create':
      return <CreateDialog kind={overlay.kind} members={overlay.members} />
    case 'keys':
      return <KeysSheet />
    case 'settings':
      return <SettingsSheet />
    case 'quit':
      return <QuitDialog />
    case 'image':
      return <ImageSheet image={overlay.image} />
    case 'export':
      return <ExportSheet runId={overlay.runId} />
    case 'import':
      return <ImportSheet />
    case undefined:
      return null
  }
}
