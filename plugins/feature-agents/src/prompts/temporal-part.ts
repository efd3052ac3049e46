import type { TextPart } from '@agent-service/sdk/contracts/provider-adapter'
import { LRUCache } from 'lru-cache'

/** States when a message was written: `[Sunday 2026-11-22, 14:03, Europe/Vienna (UTC+01:00)]`. */
export type TemporalFormatter = (createdAt: string) => TextPart

/**
 * The first name that this runtime knows as a time zone, or else UTC. The order is: a task's own,
 * the user's profile, the service's. `Account.timezone` combines the last two.
 */
export function firstTimezone(...names: readonly (string | null | undefined)[]): string {
  return names.find((name) => typeof name === 'string' && isTimezone(name)) ?? 'UTC'
}

/** How many formatters are cached, one for each zone. */
const maxFormatters = 100
const formatters = new LRUCache<string, TemporalFormatter>({ max: maxFormatters })
/** How many minutes a formatter caches: a long conversation is formatted again with every turn. */
const maxMinutes = 500

/**
 * Formats times of one zone; an unknown zone counts as UTC. Formatters are cached, because creating
 * one takes much longer than formatting.
 */
export function temporalFormatter(timezone: string): TemporalFormatter {
  const known = formatters.get(timezone)
  if (known) return known
  const made = createTemporalFormatter(timezone)
  formatters.set(timezone, made)
  return made
}

function createTemporalFormatter(timezone: string): TemporalFormatter {
  const timeZone = firstTimezone(timezone)
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', weekday: 'long' },
    timeZoneName: 'longOffset',
  })
  const formatted = new LRUCache<number, TextPart>({ max: maxMinutes })
  return (createdAt) => {
    const written = new Date(createdAt)
    const minute = Math.floor(written.getTime() / 60_000)
    const known = formatted.get(minute)
    if (known) return known
    const parts = new Map(format.formatToParts(written).map(({ type, value }) => [type, value]))
    const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? ''
    const date = `${part('year')}-${part('month')}-${part('day')}`
    const offset = part('timeZoneName').replace('GMT', '') || '+00:00'
    const text = `[${part('weekday')} ${date}, ${part('hour')}:${part('minute')}, ${timeZone} (UTC${offset})]`
    const made: TextPart = Object.freeze({ type: 'text', text })
    formatted.set(minute, made)
    return made
  }
}

/**
 * States for the model when a person's message was written. It depends on the message alone, so
 * that it stays the same in every later request.
 */
export const temporalPart = (createdAt: string, timezone: string): TextPart => temporalFormatter(timezone)(createdAt)

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
