const minute = 60_000
const hour = 60 * minute

/** Errors that time alone does not mend. */
export const lastingFailures: ReadonlySet<string> = new Set([
  'vault_unauthorized',
  'vault_forbidden',
  'vault_connection_invalid',
  'vault_content_invalid',
])

/** When a connection that works is synchronised again: well before its credentials end. */
export function nextSyncAfter(
  now: number,
  { expiresAt, system }: { readonly expiresAt: number | undefined; readonly system: boolean },
): number {
  const regular = now + (system ? hour : 6 * hour)
  if (expiresAt === undefined || expiresAt <= now) return regular
  return Math.min(regular, Math.max(now + minute, now + (expiresAt - now) / 2))
}

/** When a connection that failed is tried again: after 30 s, and twice as long each time, up to an hour. */
export function nextTryAfter(
  now: number,
  { failures, code, retryAfterMs = 0 }: { readonly failures: number; readonly code: string; readonly retryAfterMs?: number },
): number {
  const backOff = lastingFailures.has(code) ? hour : Math.min(hour, 30_000 * 2 ** Math.min(failures - 1, 10))
  return now + Math.min(24 * hour, Math.max(backOff, retryAfterMs))
}
