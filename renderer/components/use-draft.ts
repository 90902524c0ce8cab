import { useCallback, useEffect, useRef, useState } from 'react'
import { useSession } from '../state/use-session.ts'

const saveAfterMs = 400

/** A draft that main keeps: saved a moment after the last key, and at once when it is left. */
export function useDraft(conversationId: string, kept: string) {
  const session = useSession()
  const [text, setText] = useState(kept)
  const unsaved = useRef<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const flush = useCallback(() => {
    clearTimeout(timer.current)
    if (unsaved.current === null) return
    void session.saveDraft(conversationId, unsaved.current)
    unsaved.current = null
  }, [session, conversationId])
  useEffect(() => flush, [flush])

  const type = (next: string) => {
    setText(next)
    unsaved.current = next
    clearTimeout(timer.current)
    timer.current = setTimeout(flush, saveAfterMs)
  }
  /** Empties the draft once it was sent; what was written meanwhile stays. */
  const clear = (sent: string) => {
    setText((now) => (now === sent ? '' : now))
    if (unsaved.current !== null && unsaved.current !== sent) return
    unsaved.current = ''
    flush()
  }
  return { text, type, clear, flush }
}
