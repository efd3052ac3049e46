/**
 * A signal that is aborted after `limitMs` milliseconds, with a `TimeoutError`, or with the first
 * of the others, with its reason. It keeps its time although garbage is collected meanwhile:
 * Node.js 20 forgets the time of `AbortSignal.any([signal, AbortSignal.timeout(ms)])` when garbage
 * is collected before it is over, since nothing refers to the inner signal. It leaves no listener
 * at the others.
 */
export function signalWithin(limitMs: number, ...others: readonly (AbortSignal | undefined)[]): AbortSignal {
  const time = new AbortController()
  const timeout = AbortSignal.timeout(limitMs)
  // A signal that has a listener of its own is kept until it is aborted.
  timeout.addEventListener('abort', () => time.abort(timeout.reason), { once: true })
  return AbortSignal.any([...others.filter((other) => other !== undefined), time.signal])
}
