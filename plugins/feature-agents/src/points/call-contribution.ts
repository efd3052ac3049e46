import type { Contribution, ContributionPoint } from '@agent-service/sdk'
import { abortable, signalWithin } from '@agent-service/sdk/async'
import type { Contributions } from '@agent-service/sdk/services/contributions'

/** The contribution to call, and its timeout. */
export interface ContributionCall<T extends Contribution> {
  readonly point: ContributionPoint<T>
  readonly key: string
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Calls a contribution within its timeout. Undefined if its plugin has stopped. Does not wait for a
 * contribution that ignores its signal.
 * @throws what the contribution throws, the signal's reason, a `TimeoutError`, the reason why its
 * plugin was stopped.
 */
export async function callContribution<T extends Contribution, Answer>(
  contributions: Pick<Contributions, 'acquire'>,
  { point, key, timeoutMs, signal }: ContributionCall<T>,
  call: (value: T, signal: AbortSignal) => Promise<Answer>,
): Promise<{ readonly answer: Answer } | undefined> {
  const lease = contributions.acquire(point, key)
  if (!lease) return undefined
  const within = signalWithin(timeoutMs, lease.signal, signal)
  try {
    return { answer: await abortable(async () => call(lease.value, within), within) }
  } finally {
    lease.release()
  }
}

/** A whole number that a contribution states, limited to the range of its contract. */
export const bounded = (value: number | undefined, fallback: number, min: number, max: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.min(max, Math.max(min, Math.floor(value))) : fallback
