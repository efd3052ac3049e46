import { createHash } from 'node:crypto'
import { type CalendarSchedule, nextTime } from '@agent-service/sdk/schedule'

/** The most missed times that are counted and made up for one by one. */
export const maxMissed = 100

const minuteMs = 60_000

/** The times of a schedule up to a moment, in milliseconds since 1970. */
export interface DueTimes {
  /** The oldest ones, at most {@link maxMissed}. */
  readonly times: readonly number[]
  /** The newest one. */
  readonly last: number
  /** Whether there are more than {@link maxMissed}. */
  readonly isMore: boolean
  /** The one after the newest; Infinity if there is none. */
  readonly next: number
}

/**
 * The times from `first`, one of them, up to `until`; `undefined` if there are none. It takes the
 * same time for an hour and for ten years.
 */
export function dueTimes(
  schedule: CalendarSchedule,
  zone: string,
  { first, until }: { readonly first: number; readonly until: number },
): DueTimes | undefined {
  const timeAfter = (moment: number): number => nextTime(schedule, moment, { timezone: zone }) ?? Number.POSITIVE_INFINITY
  const times: number[] = []
  let next = first
  while (next <= until && times.length < maxMissed) {
    times.push(next)
    next = timeAfter(next)
  }
  const newest = times.at(-1)
  if (newest === undefined) return undefined
  if (next > until) return { times, last: newest, isMore: false, next }
  // The newest one is the time after the last moment that still has one.
  let [low, high] = [newest, until]
  while (high - low > minuteMs) {
    const middle = Math.floor((low + high) / 2)
    if (timeAfter(middle) <= until) low = middle
    else high = middle
  }
  const last = timeAfter(low)
  return { times, last, isMore: true, next: timeAfter(last) }
}

/**
 * How much later than its time a task begins, in milliseconds: always the same for one task, and
 * evenly over the spread for many, so that equal times do not all begin at once.
 */
export function spreadMs(taskId: string, spreadSeconds: number): number {
  if (spreadSeconds === 0) return 0
  const hash = createHash('sha256').update(taskId).digest().readUInt32BE(0)
  return Math.floor((hash / 2 ** 32) * spreadSeconds * 1_000)
}
