import type { Told } from '../store/task.js'

/** How long nothing more is said of the same, in milliseconds: less than a day, so that what comes each day is told each day. */
const quietMs = 20 * 3_600_000

/**
 * Whether what has come again is told: at most once in 20 hours, so that a schedule that fails each
 * minute does not flood its owner. `unsaid`: how often it came since it was last told. `next` is to be stored.
 */
export function bundle(before: Told | null, now: string): { readonly isTold: boolean; readonly unsaid: number; readonly next: Told } {
  if (before !== null && Date.parse(now) - Date.parse(before.at) < quietMs)
    return { isTold: false, unsaid: before.unsaid + 1, next: { ...before, unsaid: before.unsaid + 1 } }
  return { isTold: true, unsaid: before?.unsaid ?? 0, next: { at: now, unsaid: 0 } }
}
