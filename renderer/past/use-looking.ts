import { useCallback, useEffect, useMemo, useState } from 'react'
import type { Failure } from '../../shared/errors.ts'
import type { History, Moment } from './moments.ts'
import { openAttempts, pictureAt, type Picture } from './picture.ts'
import { Positions } from './positions.ts'
import { sightsOf, stepped, type Sights, type Step } from './sights.ts'
import { useHistory } from './use-history.ts'
import { useOutputs } from './use-outputs.ts'

/** One event after another, slow enough to follow. */
const playEveryMs = 400

/** A run at one of its moments, and the ways to the others. */
export interface Looking {
  history: History
  positions: Positions
  sights: Sights
  /** Counted from 0. */
  index: number
  moment: Moment
  picture: Picture
  /** How many moments were recorded after the first reading of a run that goes on. */
  newer: number
  playing: boolean
  goTo: (index: number) => void
  step: (step: Step, way: 1 | -1) => void
  play: (on: boolean) => void
}

/**
 * Looks at a run at one moment: at first its newest. What is recorded later moves nothing: the moment is held by its
 * key. `null` while the history is being read, or where there is none.
 */
export function useLooking(runId: string): { looking: Looking | null; failure: Failure | null; isRead: boolean } {
  const { history, failure } = useHistory(runId)
  const { outputOf, want } = useOutputs()
  const [held, setHeld] = useState<string | null>(null)
  const [known, setKnown] = useState<number | null>(null)
  const [playing, setPlaying] = useState(false)
  const base = useMemo(
    () => (history ? { history, positions: new Positions(history.moments), sights: sightsOf(history) } : null),
    [history],
  )
  const moments = base?.history.moments ?? none
  const last = moments.length - 1
  // the first reading says where the person stands; later ones leave them there
  if (known === null && last >= 0) {
    setKnown(moments.length)
    setHeld(moments[last]?.key ?? null)
  }
  const index = useMemo(() => Math.max(0, moments.findLastIndex(({ key }) => key === held)), [moments, held])
  const goTo = useCallback((to: number) => setHeld((before) => moments[to]?.key ?? before), [moments])
  const past = useMemo(() => base?.positions.at(index) ?? null, [base, index])
  useEffect(() => {
    if (!past || !base) return
    const open = new Set(openAttempts(past))
    want(base.history.end.turns.filter(({ attemptId }) => open.has(attemptId)))
  }, [past, base, want])
  const isPlaying = playing && index < last
  useEffect(() => {
    if (!isPlaying) return undefined
    const timer = setTimeout(() => goTo(index + 1), playEveryMs)
    return () => clearTimeout(timer)
  }, [isPlaying, goTo, index])
  const moment = moments[index]
  if (!base || !past || !moment) return { looking: null, failure, isRead: history !== null }
  const leave = (to: number) => {
    setPlaying(false)
    goTo(to)
  }
  const looking: Looking = {
    ...base,
    index,
    moment,
    picture: pictureAt(past, moment, base.history.end, outputOf),
    newer: moments.length - (known ?? moments.length),
    playing: isPlaying,
    goTo: leave,
    step: (step, way) => leave(stepped(base.sights, index, step, way)),
    play: (on) => {
      // at the end it begins anew
      if (on && index === last) goTo(0)
      setPlaying(on)
    },
  }
  return { looking, failure, isRead: true }
}

const none: readonly Moment[] = []
