/**
 * Calls back once, when the signal is aborted; at once if it already is. The result removes the
 * listener, and may be called more than once. Without a signal nothing is ever called.
 */
export function onAbort(signal: AbortSignal | undefined, callback: (reason: unknown) => void): () => void {
  if (!signal) return () => undefined
  if (signal.aborted) {
    callback(signal.reason)
    return () => undefined
  }
  const listener = (): void => callback(signal.reason)
  signal.addEventListener('abort', listener, { once: true })
  return () => signal.removeEventListener('abort', listener)
}
