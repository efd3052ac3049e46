import type { TString } from 'typebox'
import type { Problem } from './errors.js'
import { Type } from './type.js'
import { datePattern, instantPattern } from './validation-words.js'

const msPerDay = 86_400_000

/** Options of {@link calendarDate} and {@link instant}. */
export interface TimeSchemaOptions {
  /** Shown in the description of the API and in forms. */
  readonly description?: string
}

/**
 * The schema of a day of the calendar: `2026-01-31`. It exists, and its year is from 1970 to 2999,
 * so `Date.parse` reads every valid one.
 *
 * @example
 * const from = calendarDate({ description: 'First day, in UTC.' })
 * const query = Type.Object({ from: Type.Optional(from) })
 */
export function calendarDate(options: TimeSchemaOptions = {}): TString {
  return Type.String({ format: 'date', pattern: datePattern, examples: ['2026-01-31'], ...options })
}

/**
 * The schema of a moment by RFC 3339, with its offset: `2026-01-31T10:00:00Z`. It exists, is no
 * leap second, and its year is from 1970 to 2999, so `Date.parse` reads every valid one.
 *
 * @example
 * const from = instant({ description: 'Start of the period, inclusive.' })
 * const query = Type.Object({ from: Type.Optional(from) })
 */
export function instant(options: TimeSchemaOptions = {}): TString {
  return Type.String({ format: 'date-time', pattern: instantPattern, examples: ['2026-01-31T10:00:00.000Z'], ...options })
}

/** A period from one date or instant to another, as text that the schemas above accept. */
export interface Period {
  /** Where it begins; absent: open. */
  readonly from?: string | undefined
  /** Where it ends; absent: open. */
  readonly to?: string | undefined
}

/**
 * What is wrong with a period as members `from` and `to` of a query or body: it ends before it
 * begins, or is longer than `maxDays` days, the first and the last included. Empty for one that
 * holds, and for one that is open.
 *
 * @example
 * const problems = periodProblems({ from: '2026-02-01', to: '2026-01-01' }, { maxDays: 366 })
 */
export function periodProblems({ from, to }: Period, { maxDays }: { readonly maxDays?: number } = {}): readonly Problem[] {
  if (from === undefined || to === undefined) return []
  const length = Date.parse(to) - Date.parse(from)
  if (length < 0) return [{ path: '/from', message: `must not be after the end of the period (${to})` }]
  if (maxDays === undefined || length / msPerDay <= maxDays - 1) return []
  return [{ path: '/from', message: `must not be earlier than ${maxDays} days before the end of the period (${to})` }]
}
