const first = 1_000
const longest = 300_000
const longestAsked = 3_600_000

/**
 * How long to wait before a plugin that was not ready is started again, in milliseconds: 1 s, doubled each time up to 5 minutes, or what the
 * plugin asked for (at most an hour); each within a fifth of it, so that many plugins do not come back in the same moment.
 */
export function retryDelay(attempt: number, askedMs: number | undefined, random: () => number = Math.random): number {
  const asked = askedMs === undefined || !Number.isFinite(askedMs) ? undefined : Math.min(Math.max(askedMs, 0), longestAsked)
  const delay = asked ?? Math.min(first * 2 ** Math.min(attempt, 20), longest)
  return Math.round(delay * (0.8 + 0.4 * random()))
}
