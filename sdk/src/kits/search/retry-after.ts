/** The longest wait that is believed: a day, in milliseconds. */
const longestMs = 86_400_000

/**
 * The milliseconds of a `Retry-After` header, which has seconds or an HTTP date. Undefined if it says
 * nothing that can be read; never negative, at most a day.
 */
export function retryAfterOf(value: string | undefined, now: number = Date.now()): number | undefined {
  if (value === undefined) return undefined
  const text = value.trim()
  const milliseconds = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1_000 : /[a-z]/i.test(text) ? Date.parse(text) - now : Number.NaN
  return Number.isFinite(milliseconds) ? Math.min(longestMs, Math.max(0, Math.ceil(milliseconds))) : undefined
}
