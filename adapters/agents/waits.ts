/**
 * How long a sentence says to wait, in milliseconds: `retry after 2s`, `try again in 3 hours 5 minutes`,
 * `resets 4am (Asia/Tokyo)`, `resets Dec 3, 4:30pm`, `limit reached|1796054836`. `undefined` where it says nothing.
 */
export const waitIn = (sentence: string, now: number): number | undefined => {
  const wait = spanIn(sentence) ?? untilSecondsIn(sentence, now) ?? untilClockIn(sentence, now)
  return wait === undefined || wait < 0 || wait > waitMaxMs ? undefined : Math.round(wait)
}

const spanIn = (sentence: string): number | undefined => {
  const start = /(?:retry|try again|resets?)[ -](?:after|in)\D{0,3}(?=\d)/i.exec(sentence)
  if (!start) return undefined
  const rest = sentence.slice(start.index + start[0].length)
  const parts = /^(?:\d+(?:\.\d+)?\s*(?:ms|[a-z]+)?(?:,?\s+(?:and\s+)?|(?=\d))?)+/i.exec(rest)?.[0] ?? ''
  let wait: number | undefined
  for (const [, number, unit = ''] of parts.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]*)/gi)) {
    const milliseconds = unitMs(unit)
    if (milliseconds === null || (unit === '' && wait !== undefined)) break
    wait = (wait ?? 0) + Number(number) * milliseconds
  }
  return wait
}

const unitMs = (unit: string): number | null => {
  const word = unit.toLowerCase()
  if (word === 'ms' || word.startsWith('milli')) return 1
  if (word === '' || /^s(?:ec(?:ond)?s?)?$/.test(word)) return second
  if (/^m(?:in(?:ute)?s?)?$/.test(word)) return minute
  if (/^h(?:(?:ou)?rs?)?$/.test(word)) return hour
  return /^d(?:ays?)?$/.test(word) ? day : null
}

const untilSecondsIn = (sentence: string, now: number): number | undefined => {
  const seconds = /\breached\|(\d{10})\b/.exec(sentence)?.[1]
  return seconds === undefined ? undefined : Number(seconds) * second - now
}

/** A time of day, with its day and its time zone where they are said; else the next such time here. */
const untilClockIn = (sentence: string, now: number): number | undefined => {
  const match = clock.exec(sentence)
  if (!match) return undefined
  const { month, date, weekday, hour: hours = '', minute: minutes = '0', half, zone } = match.groups ?? {}
  // a bare number is no time of day
  if (half === undefined && match.groups?.['minute'] === undefined) return undefined
  const here = wallClock(now, zone)
  if (!here || Number(hours) > 23 || Number(minutes) > 59) return undefined
  const target = hourOf(Number(hours), half) * hour + Number(minutes) * minute
  const midnight = here.wall - here.sinceMidnight
  if (month !== undefined && date !== undefined) {
    const year = new Date(here.wall).getUTCFullYear()
    const index = months.indexOf(month.slice(0, 3).toLowerCase())
    const [soon, later] = [year, year + 1].map((each) => Date.UTC(each, index, Number(date)) + target - here.wall)
    return soon !== undefined && soon >= 0 ? soon : later
  }
  if (weekday !== undefined) {
    const ahead = (weekdays.indexOf(weekday.slice(0, 3).toLowerCase()) - new Date(midnight).getUTCDay() + 7) % 7
    const wait = ahead * day + target - here.sinceMidnight
    return wait > 0 ? wait : wait + 7 * day
  }
  const wait = target - here.sinceMidnight
  return wait > 0 ? wait : wait + day
}

const hourOf = (hours: number, half: string | undefined): number => {
  if (half === undefined) return hours
  return (hours % 12) + (half.toLowerCase().startsWith('p') ? 12 : 0)
}

/** What a clock on the wall of a zone shows, as if it were in Greenwich; `null` for a zone that is not known. */
const wallClock = (now: number, zone: string | undefined): { wall: number; sinceMidnight: number } | null => {
  try {
    const parts = new Intl.DateTimeFormat('en-US', {
      ...(zone === undefined ? {} : { timeZone: zone }),
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    }).formatToParts(now)
    const part = (type: string) => Number(parts.find((each) => each.type === type)?.value)
    const midnight = Date.UTC(part('year'), part('month') - 1, part('day'))
    const sinceMidnight = part('hour') * hour + part('minute') * minute + part('second') * second
    return { wall: midnight + sinceMidnight, sinceMidnight }
  } catch {
    return null
  }
}

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
/** A month's budget may be used up on its first day. */
const waitMaxMs = 32 * day
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const clock = new RegExp(
  String.raw`(?:resets?|try again)(?: (?:at|on))? ` +
    String.raw`(?:(?<month>(?:${months.join('|')})[a-z]*)\.? (?<date>\d{1,2})(?:st|nd|rd|th)?,? ` +
    String.raw`(?:\d{4},? )?(?:at )?|` +
    String.raw`(?<weekday>(?:${weekdays.join('|')})[a-z]*),? (?:at )?)?` +
    String.raw`(?<hour>\d{1,2})(?::(?<minute>\d{2}))?\s?(?<half>[ap]\.?m\b)?(?:[^(\n]{0,3}\((?<zone>[\w+/-]+)\))?`,
  'i',
)
