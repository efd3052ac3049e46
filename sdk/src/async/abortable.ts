import { onAbort } from './on-abort.js'

/**
 * Waits for a piece of work until the signal is aborted, then rejects with its reason at once, even
 * when the work ignores it. The work continues by itself, since others may wait for it too, and its
 * later failure is handled. A function is not called if the signal is already aborted. No listener
 * remains. Without a signal it simply waits.
 */
export async function abortable<T>(work: PromiseLike<T> | (() => PromiseLike<T>), signal: AbortSignal | undefined): Promise<T> {
  if (typeof work === 'function') signal?.throwIfAborted()
  const result = typeof work === 'function' ? work() : work
  if (!signal) return await result
  let forget: () => void = () => undefined
  try {
    return await new Promise<T>((resolve, reject) => {
      forget = onAbort(signal, reject)
      result.then(resolve, reject)
    })
  } finally {
    forget()
  }
}
