/**
 * The times of a schedule in a year, computed without the kit of the SDK: the offsets of a zone as
 * the platform gives them, and arithmetic. Knows values, ranges, lists, `*`, steps, `L`
 * as a day and names of weekdays as numbers.
 */
export function independentTimes(cron: string, zone: string, from: number, until: number): readonly number[] {
  const [minutes = '', hours = '', days = '', months = '', weekdays = ''] = cron.split(' ')
  const offsets = offsetsOf(zone, from - 3 * dayMs, until + 3 * dayMs)
  const onDay = (date: Date): boolean => {
    const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
    const inMonth = days === 'L' ? date.getUTCDate() === last : has(days, date.getUTCDate())
    const inWeek = has(weekdays, date.getUTCDay())
    const isEither = days !== '*' && weekdays !== '*'
    return has(months, date.getUTCMonth() + 1) && (isEither ? inMonth || inWeek : inMonth && inWeek)
  }
  const times = new Set<number>()
  if (/[*/]/.test(minutes + hours)) {
    for (let moment = from; moment < until; moment += minuteMs) {
      const local = new Date(moment + offsetAt(offsets, moment))
      if (has(minutes, local.getUTCMinutes()) && has(hours, local.getUTCHours()) && onDay(local)) times.add(moment)
    }
  } else {
    for (let day = from - dayMs; day < until + dayMs; day += dayMs) {
      const date = new Date(day - (day % dayMs))
      if (!onDay(date)) continue
      for (let minute = 0; minute < 1_440; minute += 1) {
        if (!has(minutes, minute % 60) || !has(hours, Math.floor(minute / 60))) continue
        times.add(instantOf(offsets, date.getTime() + minute * minuteMs))
      }
    }
  }
  return [...times].filter((time) => time > from && time < until).sort((a, b) => a - b)
}

const minuteMs = 60_000
const dayMs = 86_400_000

/** From when which offset holds, oldest first. */
type Offsets = readonly { readonly from: number; readonly ms: number }[]

function offsetsOf(zone: string, from: number, until: number): Offsets {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' },
  })
  const offset = (moment: number): number => {
    const parts = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]))
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts
    return Date.UTC(year, month - 1, day, hour, minute) - moment
  }
  const found = [{ from: Number.NEGATIVE_INFINITY, ms: offset(from) }]
  for (let day = from; day < until; day += dayMs) {
    if (offset(day + dayMs) === found.at(-1)?.ms) continue
    let hour = day
    while (offset(hour + 60 * minuteMs) === found.at(-1)?.ms) hour += 60 * minuteMs
    while (offset(hour) === found.at(-1)?.ms) hour += minuteMs
    found.push({ from: hour, ms: offset(hour) })
  }
  return found
}

const offsetAt = (offsets: Offsets, moment: number): number => offsets.findLast(({ from }) => from <= moment)?.ms ?? 0

/** The first moment at which the clock shows a local time; the end of the gap if it never does. */
function instantOf(offsets: Offsets, local: number): number {
  const shown = offsets.map(({ ms }) => local - ms).filter((moment) => moment + offsetAt(offsets, moment) === local)
  if (shown.length > 0) return Math.min(...shown)
  const gap = offsets.find(({ from, ms }, index) => {
    const before = offsets[index - 1]?.ms
    return before !== undefined && local - ms < from && local - before >= from
  })
  return gap?.from ?? Number.NaN
}

function has(field: string, value: number): boolean {
  return field.split(',').some((item) => {
    const [base = '', step] = item.split('/')
    const [from, to = from] = base === '*' ? [0, 59] : base.split('-').map(Number)
    if (value < (from ?? 0) || value > (to ?? 59)) return false
    const first = base === '*' ? 0 : (from ?? 0)
    return step === undefined || (value - first) % Number(step) === 0
  })
}
