import { useState, type ClipboardEvent, type DragEvent } from 'react'

/** What a box does with files that are dropped on it and with images that are pasted into its field. */
export function useImageInput(add: (files: readonly File[]) => void) {
  const [dropping, setDropping] = useState(false)
  return {
    dropping,
    box: {
      onDragOver: (event: DragEvent) => {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        event.dataTransfer.dropEffect = 'copy'
        setDropping(true)
      },
      onDragLeave: (event: DragEvent) => {
        const { currentTarget, relatedTarget } = event
        if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)) setDropping(false)
      },
      onDrop: (event: DragEvent) => {
        setDropping(false)
        if (event.dataTransfer.files.length === 0) return
        event.preventDefault()
        add([...event.dataTransfer.files])
      },
    },
    onPaste: (event: ClipboardEvent) => {
      const { files, types } = event.clipboardData
      // a cell of a table comes as words and as their picture: the words are meant
      if (files.length === 0 || types.includes('text/plain')) return
      event.preventDefault()
      add([...files])
    },
  }
}
