import type { Disposer } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'

/**
 * Waits for work, at most `limitMs` and only until `signal` is aborted; then throws what `timedOut` makes, or the signal's reason. The work
 * itself is not stopped by this, and its later failure goes nowhere.
 */
export async function withinLimit<Result>(
  options: { readonly clock: Clock; readonly limitMs: number; readonly signal: AbortSignal; readonly timedOut: () => Error },
  work: Promise<Result>,
): Promise<Result> {
  const { clock, limitMs, signal, timedOut } = options
  let cancel: Disposer = () => undefined
  let forget: Disposer = () => undefined
  try {
    return await Promise.race([
      work,
      new Promise<never>((_, reject) => {
        const onAbort = (): void => reject(signal.reason)
        if (signal.aborted) onAbort()
        signal.addEventListener('abort', onAbort)
        forget = () => signal.removeEventListener('abort', onAbort)
        cancel = clock.after(limitMs, () => reject(timedOut()))
      }),
    ])
  } finally {
    await cancel()
    await forget()
  }
}
