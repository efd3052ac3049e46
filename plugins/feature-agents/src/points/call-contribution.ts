import type { Contribution, ContributionPoint } from '@agent-service/sdk'
import { abortable, signalWithin } from '@agent-service/sdk/async'
import type { Contributions } from '@agent-service/sdk/services/contributions'

/** Which contribution is asked, and how long it has. */
export interface Question<T extends Contribution> {
  readonly point: ContributionPoint<T>
  readonly key: string
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Asks a contribution something, within its time. Undefined where its plugin has stopped. What takes no notice of its signal is
 * not waited for.
 * @throws what the contribution throws, the reason of the signal, a `TimeoutError`, the reason why its plugin was stopped.
 */
export async function callContribution<T extends Contribution, Answer>(
  contributions: Pick<Contributions, 'acquire'>,
  { point, key, timeoutMs, signal }: Question<T>,
  ask: (value: T, signal: AbortSignal) => Promise<Answer>,
): Promise<{ readonly answer: Answer } | undefined> {
  const lease = contributions.acquire(point, key)
  if (!lease) return undefined
  const within = signalWithin(timeoutMs, lease.signal, signal)
  try {
    return { answer: await abortable(async () => ask(lease.value, within), within) }
  } finally {
    lease.release()
  }
}

/** A whole number of a contribution, kept within what its contract allows. */
export const bounded = (value: number | undefined, usual: number, least: number, most: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.min(most, Math.max(least, Math.floor(value))) : usual
