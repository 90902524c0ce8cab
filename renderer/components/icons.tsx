import type { ReactNode } from 'react'

/** One glyph of the window; purely decorative, the word beside it or the button's label speaks. */
export const Icon = ({ name, small = false }: { name: IconName; small?: boolean }) => (
  <svg
    className={`icon${small ? ' small' : ''}${name === 'needs' ? ' needs' : ''}`}
    viewBox="0 0 16 16"
    aria-hidden="true"
  >
    {glyphs[name]}
  </svg>
)

const ring = <circle cx="8" cy="8" r="5.75" />
const octagon = <path d="M5.6 2.25h4.8l3.35 3.35v4.8l-3.35 3.35H5.6L2.25 10.4V5.6z" />

/** State shapes differ in outline, so that they read without colour. */
const states = {
  idle: <circle cx="8" cy="8" r="5.75" strokeDasharray="0.1 2.91" />,
  queued: (
    <>
      <circle cx="8" cy="8" r="5.75" strokeDasharray="0.1 2.91" />
      <circle cx="8" cy="8" r="1" className="solid" />
    </>
  ),
  working: (
    <>
      <circle cx="8" cy="8" r="5.75" className="faint" />
      <path d="M8 2.25a5.75 5.75 0 0 1 5.75 5.75" className="turns" />
      <circle cx="8" cy="8" r="1.25" className="solid" />
    </>
  ),
  needs: (
    <>
      <path d="M8 1.25 14.75 8 8 14.75 1.25 8z" className="edge" />
      <path d="M8 4.9v3.6M8 10.9v.1" className="bang" />
    </>
  ),
  done: (
    <>
      {ring}
      <path d="m5.5 8.2 1.8 1.8 3.3-3.7" />
    </>
  ),
  agreed: (
    <>
      <circle cx="8" cy="8" r="6" className="solid" />
      <path d="m5.4 8.2 1.9 1.9 3.4-3.9" className="on-solid" />
    </>
  ),
  continues: (
    <>
      {ring}
      <path d="M5.3 8h5M8.4 5.9 10.5 8l-2.1 2.1" />
    </>
  ),
  key: <path d="M5 13.25a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM6.8 9l5.7-5.75M10.5 5.25l1.75 1.75" />,
  partial: (
    <>
      {ring}
      <path d="M8 2.25v11.5a5.75 5.75 0 0 1 0-11.5z" className="solid" />
    </>
  ),
  failed: (
    <>
      {octagon}
      <path d="m6 6 4 4m0-4-4 4" />
    </>
  ),
  timedOut: (
    <>
      {octagon}
      <path d="M8 5v3.2l2 1.2" />
    </>
  ),
  stopped: (
    <>
      <rect x="2.5" y="2.5" width="11" height="11" rx="2" />
      <rect x="6" y="6" width="4" height="4" rx="0.5" className="solid" />
    </>
  ),
  stopping: (
    <>
      <rect x="2.5" y="2.5" width="11" height="11" rx="2" strokeDasharray="2.5 2" />
      <rect x="6" y="6" width="4" height="4" rx="0.5" className="solid" />
    </>
  ),
  interrupted: (
    <>
      <path d="M5.6 2.8a5.75 5.75 0 0 0 0 10.4M10.4 2.8a5.75 5.75 0 0 1 0 10.4" />
      <path d="M8.7 4.6 6.6 8.3h2.8L7.3 11.6" />
    </>
  ),
  skipped: (
    <>
      {ring}
      <path d="m4.2 11.8 7.6-7.6" />
    </>
  ),
  noVote: (
    <>
      {ring}
      <path d="M5.5 8h5" />
    </>
  ),
  backingOff: (
    <>
      {ring}
      <path d="M8 5v3.2l2 1.2" />
    </>
  ),
  onHold: (
    <>
      {ring}
      <path d="M6.5 6v4M9.5 6v4" />
    </>
  ),
}
export type StateIcon = keyof typeof states

const actions = {
  brand: (
    <>
      <path
        d="M3.1 5.2A5.75 5.75 0 0 1 6.6 2.4M9.4 2.4a5.75 5.75 0 0 1 3.5 2.8
          M13.6 9.3a5.75 5.75 0 0 1-2.7 3.7M5.1 13a5.75 5.75 0 0 1-2.7-3.7"
        strokeWidth="2"
      />
      <circle cx="8" cy="8" r="2" className="solid" />
    </>
  ),
  search: <path d="M7 11.25a4.25 4.25 0 1 0 0-8.5 4.25 4.25 0 0 0 0 8.5zm3.2-1.05 3.3 3.3" />,
  plus: <path d="M8 3.25v9.5M3.25 8h9.5" />,
  right: <path d="m6.25 4 4 4-4 4" />,
  left: <path d="m9.75 4-4 4 4 4" />,
  down: <path d="m4 6.25 4 4 4-4" />,
  up: <path d="M8 12.75v-9.5M4.25 7 8 3.25 11.75 7" />,
  close: <path d="m4 4 8 8m0-8-8 8" />,
  check: <path d="m3.5 8.5 3 3 6-7" />,
  lock: (
    <>
      <rect x="3" y="7" width="10" height="6.5" rx="1.5" />
      <path d="M5.25 7V5a2.75 2.75 0 0 1 5.5 0v2" />
    </>
  ),
  pen: <path d="m9.8 3.6 2.6 2.6-6.6 6.6-3.3.7.7-3.3zM8.6 4.8l2.6 2.6" />,
  folder: <path d="M2.25 4.5a1 1 0 0 1 1-1h3l1.5 1.75h5a1 1 0 0 1 1 1v5.25a1 1 0 0 1-1 1h-9.5a1 1 0 0 1-1-1z" />,
  clock: (
    <>
      {ring}
      <path d="M8 5v3.2l2 1.2" />
    </>
  ),
  stop: <rect x="4" y="4" width="8" height="8" rx="1" className="solid" />,
  pause: <path d="M5.5 4v8M10.5 4v8" strokeWidth="2" />,
  stepBack: <path d="M4.25 4v8M11.75 4v8L6.5 8z" />,
  stepOn: <path d="M11.75 4v8M4.25 4v8L9.5 8z" />,
  play: <path d="M5 3.5v9l7-4.5z" className="solid" />,
  again: <path d="M12.7 6.2A5 5 0 1 0 13 8.6M13 3.2v3.2H9.8" />,
  swap: <path d="M2.75 5.5h9.5M9.75 3l2.5 2.5L9.75 8M13.25 10.5h-9.5M6.25 8l-2.5 2.5 2.5 2.5" />,
  transcript: <path d="M2.5 4h9M2.5 8h5M2.5 12h4M9.5 8.5v5l4-2.5z" />,
  terminal: (
    <>
      <rect x="2" y="3" width="12" height="10" rx="1.5" />
      <path d="m4.75 6.25 2 1.75-2 1.75M8.5 10h2.5" />
    </>
  ),
  file: <path d="M4 2.5h5l3 3v8H4zM9 2.5v3h3" />,
  globe: (
    <path
      d="M8 13.75a5.75 5.75 0 1 0 0-11.5 5.75 5.75 0 0 0 0 11.5z
          M2.5 8h11M8 2.25c2.2 1.7 2.2 9.8 0 11.5M8 2.25c-2.2 1.7-2.2 9.8 0 11.5"
    />
  ),
  wrench: (
    <path d="M13 4.7 10.8 7 9 5.2l2.3-2.2a3.5 3.5 0 0 0-4.6 4.4l-4 4a1.3 1.3 0 0 0 1.9 1.9l4-4A3.5 3.5 0 0 0 13 4.7z" />
  ),
  thought: <path d="M3 3.5h10v7H8l-3 2.5v-2.5H3zM5.5 7h5" />,
  plan: <path d="M6.5 4.5h7M6.5 8h7M6.5 11.5h7M2.5 4.5h1M2.5 8h1M2.5 11.5h1" />,
  scales: <path d="M8 2.5v11M5 13.5h6M3.5 4.5h9M3.5 4.5l-2 4.5a2 2 0 0 0 4 0zM12.5 4.5l-2 4.5a2 2 0 0 0 4 0z" />,
  coin: (
    <>
      {ring}
      <path
        d="M9.9 6.2C9.4 5.5 8.8 5.3 8 5.3c-1.2 0-1.9.6-1.9 1.3
          0 2 3.8.8 3.8 2.8 0 .8-.8 1.3-1.9 1.3-.9 0-1.6-.3-2-.9M8 4.4v7.2"
      />
    </>
  ),
  sidebar: (
    <path
      d="M3.5 3h9A1.5 1.5 0 0 1 14 4.5v7a1.5 1.5 0 0 1-1.5 1.5h-9
          A1.5 1.5 0 0 1 2 11.5v-7A1.5 1.5 0 0 1 3.5 3zM6 3v10"
    />
  ),
  panel: (
    <path
      d="M3.5 3h9A1.5 1.5 0 0 1 14 4.5v7a1.5 1.5 0 0 1-1.5 1.5h-9
          A1.5 1.5 0 0 1 2 11.5v-7A1.5 1.5 0 0 1 3.5 3zM10 3v10"
    />
  ),
  diagram: (
    <>
      <rect x="1.75" y="6" width="4" height="4" rx="1" />
      <rect x="10.25" y="2" width="4" height="4" rx="1" />
      <rect x="10.25" y="10" width="4" height="4" rx="1" />
      <path d="M5.75 8H8m2.25-4H9a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h1.25" />
    </>
  ),
  lines: <path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11" />,
  theme: (
    <>
      {ring}
      <path d="M8 2.25a5.75 5.75 0 0 1 0 11.5z" className="solid" />
    </>
  ),
  settings: (
    <path
      d="M2.5 5h5M11.5 5h2M2.5 11h2M8.5 11h5
          M9.5 6.75a1.75 1.75 0 1 0 0-3.5 1.75 1.75 0 0 0 0 3.5z
          M6.5 12.75a1.75 1.75 0 1 0 0-3.5 1.75 1.75 0 0 0 0 3.5z"
    />
  ),
  keys: (
    <>
      <rect x="1.5" y="4" width="13" height="8.5" rx="1.5" />
      <path d="M4.25 6.75v.1M6.75 6.75v.1M9.25 6.75v.1M11.75 6.75v.1M5.5 10h5" />
    </>
  ),
  blind: <path d="M2 8s2.2-3.75 6-3.75S14 8 14 8s-2.2 3.75-6 3.75S2 8 2 8zM3 13 13 3" />,
  rounds: <path d="M12.8 6.5A5 5 0 0 0 3.6 5.8M3.2 9.5a5 5 0 0 0 9.2.7M3.4 3v3h3M12.6 13v-3h-3" />,
  image: (
    <>
      <rect x="2" y="2.75" width="12" height="10.5" rx="1.5" />
      <path d="m2.5 11.5 3.25-3.5 2.5 2.5 2-2 3.25 3.25M10.75 5.75v.1" />
    </>
  ),
  copy: (
    <>
      <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
      <path d="M10.5 5.5V4A1.5 1.5 0 0 0 9 2.5H4A1.5 1.5 0 0 0 2.5 4v5A1.5 1.5 0 0 0 4 10.5h1.5" />
    </>
  ),
  out: (
    <path
      d="M6.5 3.5H4A1.5 1.5 0 0 0 2.5 5v7A1.5 1.5 0 0 0 4 13.5h7a1.5 1.5 0 0 0 1.5-1.5V9.5
          M9 2.5h4.5V7M13.25 2.75 7.5 8.5"
    />
  ),
  bin: <path d="M2.75 4.5h10.5M6.25 4.5v-2h3.5v2M4 4.5l.6 9h6.8l.6-9M6.75 7v4M9.25 7v4" />,
  power: <path d="M8 2.25v5M4.6 4.4a5 5 0 1 0 6.8 0" />,
  pin: <path d="M6 2.5h4M6.5 2.5v4L4.5 9v1h7V9l-2-2.5v-4M8 10v3.5" />,
  more: <path d="M3.5 8v.1M8 8v.1M12.5 8v.1" strokeWidth="2" />,
  warning: <path d="M8 2.5 14 13H2zM8 6.5v3M8 11.25v.1" />,
  bolt: <path d="M9 2 4 9h3.5L7 14l5-7H8.5z" />,
  home: <path d="M2.5 7.5 8 3l5.5 4.5M4 6.5v6.75h8V6.5" />,
  kill: <path d="M5 2.5 8.5 6 7 8l4 5.5M3 6.5 5 8M13 4l-2 2M8 13.5v-2" />,
}

export type IconName = StateIcon | keyof typeof actions
const glyphs: Record<IconName, ReactNode> = { ...states, ...actions }
