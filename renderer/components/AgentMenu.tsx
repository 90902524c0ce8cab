import { useEffect, useRef, useState } from 'react'
import type { AgentId } from '../../shared/agent.ts'
import { useWorld } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { Mark, usable } from './Agent.tsx'
import { focusInMenu } from './focus.ts'
import { Icon } from './icons.tsx'

interface Replaceable {
  key: string
  name: string
  not: AgentId
}

/** Chooses who takes a seat over: first the seat, where there are several, then the agent. */
export const AgentMenu = ({
  label,
  items,
  disabled,
  pick,
}: {
  label: string
  items: readonly Replaceable[]
  disabled: boolean
  pick: (key: string, agent: AgentId) => void
}) => {
  const agents = useWorld((world) => world.agents)
  const [open, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  useDismiss(box, open, () => setOpen(false))
  return (
    <div className="menu-anchor" ref={box}>
      <button
        type="button"
        className="button"
        aria-haspopup="true"
        aria-expanded={open}
        disabled={disabled}
        onClick={() => setOpen(!open)}
      >
        <Icon name="swap" />
        {label}
      </button>
      {open ? (
        <div className="menu-list up" data-list>
          {items.map((item) => (
            <div key={item.key} role="group" aria-label={text.ended.replaceSeat(item.name)}>
              <p className="meta menu-title">{text.ended.replaceSeat(item.name)}</p>
              {agents
                .filter((card) => card.agent !== item.not && usable(card))
                .map((card) => (
                  <button
                    type="button"
                    key={card.agent}
                    className="button menu-item"
                    data-item
                    onClick={() => {
                      setOpen(false)
                      pick(item.key, card.agent)
                    }}
                  >
                    <Mark card={card} />
                    {text.ended.replaceWith(card.name)}
                    {card.rehearsal ? <span className="tag">{text.common.rehearsal}</span> : null}
                  </button>
                ))}
            </div>
          ))}
        </div>
      ) : null}
    </div>
  )
}

/** Closes what floats when the person turns to something else, or presses Escape in it; arrow keys move in it. */
export function useDismiss(box: React.RefObject<HTMLElement | null>, open: boolean, close: () => void) {
  useEffect(() => {
    if (!open) return undefined
    const outside = (event: Event) => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) close()
    }
    const press = (event: KeyboardEvent) => {
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
      if (step !== 0) {
        event.preventDefault()
        focusInMenu(box.current, step)
      }
      if (event.key !== 'Escape') return
      event.stopPropagation()
      close()
      box.current?.querySelector('button')?.focus()
    }
    const element = box.current
    document.addEventListener('pointerdown', outside)
    element?.addEventListener('keydown', press)
    return () => {
      document.removeEventListener('pointerdown', outside)
      element?.removeEventListener('keydown', press)
    }
  })
}
