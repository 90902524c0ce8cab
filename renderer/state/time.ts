import { text } from '../text/text.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** A length of time as `m:ss`, from an hour on `h:mm:ss`, from two days on in days. */
export function length(ms: number): string {
  const whole = Math.max(0, Math.floor(ms / second))
  if (ms >= 2 * day) return text.time.days(Math.round(ms / day))
  const seconds = String(whole % 60).padStart(2, '0')
  const minutes = Math.floor(whole / 60)
  if (ms < hour) return `${minutes}:${seconds}`
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${seconds}`
}

/** A short time since something: seconds under a minute, else as a length. */
export const since = (ms: number): string =>
  ms < minute ? text.time.seconds(String(Math.max(0, Math.floor(ms / second)))) : length(ms)

/** The time of day, in the person's own zone. */
export const clock = (at: number): string =>
  new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** The time of day to the millisecond. */
export const exactClock = (at: number): string => `${clock(at)}.${String(at % second).padStart(3, '0')}`

/** The time of day, with the date where it is another day than `now`. */
export const moment = (at: number, now: number): string =>
  sameDay(at, now)
    ? clock(at)
    : `${new Date(at).toLocaleDateString(text.locale, { day: 'numeric', month: 'short' })}, ${clock(at)}`

const sameDay = (a: number, b: number) => new Date(a).toDateString() === new Date(b).toDateString()

/** A large number in few characters: `940`, `4.2k`, `1.3M`. */
export function short(n: number): string {
  if (n < 1_000) return String(n)
  if (n < 1_000_000) return `${trimmed(n / 1_000)}k`
  return `${trimmed(n / 1_000_000)}M`
}

export function bytes(n: number): string {
  if (n < 1_024) return `${n} B`
  return n < 1_024 * 1_024 ? `${trimmed(n / 1_024)} KB` : `${trimmed(n / 1_024 / 1_024)} MB`
}

const trimmed = (n: number) => (n >= 100 ? String(Math.round(n)) : n.toFixed(1).replace(/\.0$/, ''))

/** A path with the person's home shortened. */
export const shortPath = (path: string, home: string): string =>
  path === home || path.startsWith(`${home}/`) || path.startsWith(`${home}\\`) ? `~${path.slice(home.length)}` : path
