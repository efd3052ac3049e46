import { numberAt } from '../common/json.js'
import type { ResponseHeaders } from '../transport/upstream-response.js'
import type { ErrorBody } from './error-body.js'

/**
 * When a retry may succeed according to the vendor, in milliseconds: `retry-after-ms`,
 * `retry-after` (seconds or an HTTP date), else what the body says, in a member or in its text
 * (“try again in 7m12s”, “in 350ms”). A `retry-after-ms` of 0 is ignored: one vendor sends it with
 * every refusal.
 */
export function retryAfterOf(headers: ResponseHeaders, body: ErrorBody, now: number): number | undefined {
  const exact = millisecondsOf(headers.get('retry-after-ms'), 1)
  const stated = exact === 0 ? undefined : exact
  return stated ?? retryAfterHeader(headers.get('retry-after'), now) ?? body.retryAfterMs ?? hintIn(body)
}

function retryAfterHeader(value: string | null, now: number): number | undefined {
  const seconds = millisecondsOf(value, 1_000)
  if (seconds !== undefined || value === null) return seconds
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

const millisecondsOf = (value: string | null, unit: number): number | undefined =>
  value !== null && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Math.ceil(Number(value) * unit) : undefined

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }

function hintIn(body: ErrorBody): number | undefined {
  const estimated = numberAt(body.raw, 'estimated_time')
  if (estimated !== undefined) return Math.max(0, Math.ceil(estimated * 1_000))
  const hint = /(?:try again|retry) (?:in|after) ((?:\d+(?:\.\d+)?\s?(?:ms|s|m|h))+)/i.exec(body.message.slice(0, 4_000))?.[1]
  if (hint !== undefined) return durationOf(hint)
  const seconds = /(?:try again|retry) (?:in|after) (\d+(?:\.\d+)?) (second|minute)s?/i.exec(body.message.slice(0, 4_000))
  return seconds?.[1] === undefined ? undefined : Math.ceil(Number(seconds[1]) * (seconds[2]?.toLowerCase() === 'minute' ? 60_000 : 1_000))
}

const durationOf = (text: string): number =>
  Math.ceil(
    [...text.matchAll(/(\d+(?:\.\d+)?)\s?(ms|s|m|h)/gi)].reduce(
      (sum, [, amount, unit]) => sum + Number(amount) * (units[unit?.toLowerCase() ?? ''] ?? 0),
      0,
    ),
  )
