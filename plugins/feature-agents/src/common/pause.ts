import type { Disposer } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'

/** Waits, no longer than the signal. @throws its reason. */
export async function pause(clock: Pick<Clock, 'after'>, ms: number, signal: AbortSignal): Promise<void> {
  let stop: () => void = () => undefined
  let forget: Disposer = () => undefined
  try {
    await new Promise<void>((resolve) => {
      stop = resolve
      forget = clock.after(ms, resolve)
      signal.addEventListener('abort', stop, { once: true })
      if (signal.aborted) resolve()
    })
  } finally {
    void forget()
    signal.removeEventListener('abort', stop)
  }
  signal.throwIfAborted()
}
