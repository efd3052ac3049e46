import { createSignal } from 'solid-js'

const dayMs = 86_400_000
const [profileZone, setProfileZone] = createSignal<string>()

/** The time zone of this device. */
export const deviceZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** The time zone in which times and days are shown and entered: that of the profile, else that of this device. */
export const zone = (): string => profileZone() ?? deviceZone()

/** Takes the time zone of the profile. One that the browser does not know is that of the device. */
export const showTimesIn = (name: string | null): void => void setProfileZone(name !== null && isKnown(name) ? name : undefined)

function isKnown(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== ''
  } catch {
    return false
  }
}

/** Days since 1970 by the calendar of the zone: those of two moments differ by the midnights between them. */
export const dayNumber = (moment: Date | string | number): number => Math.floor(wallOf(new Date(moment).getTime()) / dayMs)

/** The value of a `datetime-local` field for a moment. */
export const fieldOfMoment = (moment: string): string => new Date(wallOf(Date.parse(moment))).toISOString().slice(0, 16)

/** The moment of such a field; `undefined`: it has none. */
export function momentOfField(value: string): string | undefined {
  const wall = Date.parse(`${value}Z`)
  return value === '' || Number.isNaN(wall) ? undefined : new Date(momentOfWall(wall)).toISOString()
}

/** The first moment of a day such as `2026-11-23`, or of one that comes so many days after it; `undefined`: there is no such day. */
export function startOfDay(day: string, later = 0): string | undefined {
  const wall = Date.parse(`${day}T00:00:00Z`) + later * dayMs
  return Number.isNaN(wall) ? undefined : new Date(momentOfWall(wall)).toISOString()
}

let formatter: { readonly zone: string; readonly format: Intl.DateTimeFormat } | undefined

/** What the clocks of the zone show at a moment, as if they showed UTC. */
function wallOf(moment: number): number {
  const name = zone()
  if (formatter?.zone !== name) {
    const parts = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' } as const
    formatter = { zone: name, format: new Intl.DateTimeFormat('en-u-ca-gregory', { ...parts, hourCycle: 'h23', timeZone: name }) }
  }
  const fields = Object.fromEntries(formatter.format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = fields
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

/** The first moment at which the clocks show that. A time that they skip is later by as much as they are put forward. */
function momentOfWall(wall: number): number {
  const withOffsetOf = (moment: number): number => wall - (wallOf(moment) - moment)
  const before = withOffsetOf(wall - dayMs)
  if (wallOf(before) === wall) return before
  const after = withOffsetOf(wall + dayMs)
  return wallOf(after) === wall ? after : before
}
