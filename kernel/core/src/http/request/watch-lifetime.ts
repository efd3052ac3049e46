import type { Clock } from '@agent-service/sdk/services/clock'
import type { EndReason } from './exchange.js'

/** The longest delay that a timer supports. */
const maxTimerMs = 2 ** 31 - 1

/**
 * Calls `end` when one of the signals is aborted or the credential expires. The returned function
 * stops the watch; call it when the exchange has ended, since the signals may outlive it.
 */
export function watchLifetime(
  watched: {
    readonly clock: Clock
    readonly signals: readonly { readonly signal: AbortSignal | undefined; readonly reason: EndReason }[]
    /** In milliseconds since 1970. */
    readonly expiresAt: number | undefined
  },
  end: (reason: EndReason) => void,
): () => void {
  const { clock, signals, expiresAt } = watched
  const undo: (() => void)[] = []
  for (const { signal, reason } of signals) {
    if (!signal) continue
    const ended = () => end(reason)
    if (signal.aborted) ended()
    signal.addEventListener('abort', ended, { once: true })
    undo.push(() => signal.removeEventListener('abort', ended))
  }
  if (expiresAt !== undefined) {
    let cancel: () => void | Promise<void> = () => undefined
    const watch = () => {
      const left = expiresAt - clock.now()
      if (left > 0) cancel = clock.after(Math.min(left, maxTimerMs), watch)
      else end('credential_ended')
    }
    watch()
    undo.push(() => void cancel())
  }
  return () => {
    for (const each of undo) each()
  }
}
