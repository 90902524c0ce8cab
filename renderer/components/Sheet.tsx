import { useEffect, useRef, type ReactNode } from 'react'
import { useNavigation } from '../state/place.ts'

/** A sheet over the window: it takes the focus, gives it back, and closes at Escape or a click beside it. */
export const Sheet = ({
  label,
  className = '',
  children,
}: {
  label: string
  className?: string
  children: ReactNode
}) => {
  const { show } = useNavigation()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    const before = document.activeElement
    element?.showModal()
    return () => {
      element?.close()
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      className={`sheet fade-in ${className}`}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault()
        show(null)
      }}
      onPointerDown={(event) => (event.target === event.currentTarget ? show(null) : undefined)}
    >
      <div className="sheet-inner">{children}</div>
    </dialog>
  )
}
