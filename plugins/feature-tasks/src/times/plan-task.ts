import { nextTime } from '@agent-service/sdk/schedule'
import type { Task } from '../store/task.js'
import { spreadMs } from './due-times.js'

export const textOf = (moment: number): string => new Date(moment).toISOString()

/** The members of a task that say when it begins. */
export type PlannedTimes = Pick<Task, 'zone' | 'follows_zone' | 'planned_from' | 'next_at' | 'wake_at'>

const unplanned: PlannedTimes = { zone: null, follows_zone: null, planned_from: null, next_at: null, wake_at: null }

/**
 * When a task begins: at its due time, or at the first time of its schedule after `from`. `zone` is
 * the user's; the task's own wins. `known`: that time, if it was computed before.
 */
export function plannedTimes(
  task: Pick<Task, 'id' | 'schedule' | 'due_at' | 'spread_secs'>,
  { zone, from, known }: { readonly zone: string; readonly from: number; readonly known?: number },
): PlannedTimes {
  const { schedule, due_at } = task
  if (schedule === null) return due_at === null ? unplanned : { ...unplanned, next_at: due_at, wake_at: due_at }
  const own = schedule.timezone ?? zone
  const next = known ?? nextTime({ cron: schedule.cron }, from, { timezone: own })
  const planned = { zone: own, follows_zone: schedule.timezone === null ? own : null, planned_from: textOf(from) }
  if (next === undefined || !Number.isFinite(next)) return { ...unplanned, ...planned, follows_zone: null }
  return { ...planned, next_at: textOf(next), wake_at: textOf(next + spreadMs(task.id, task.spread_secs)) }
}

export const withoutTimes = (): PlannedTimes => unplanned

/** The next times of a task, the planned one first. */
export function nextTimes({ schedule, zone, next_at }: Pick<Task, 'schedule' | 'zone' | 'next_at'>, count: number): readonly string[] {
  if (next_at === null) return []
  const times = [next_at]
  while (schedule !== null && times.length < count) {
    const next = nextTime({ cron: schedule.cron }, Date.parse(times.at(-1) ?? next_at), { timezone: zone ?? 'UTC' })
    if (next === undefined) break
    times.push(textOf(next))
  }
  return times
}
