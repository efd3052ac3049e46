/**
 * Waits for a piece of work until the signal is aborted, then throws its reason at once, also when the work takes no notice. Work is not begun with a
 * signal that is aborted already.
 */
export async function abortable<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  let stop: () => void = () => undefined
  try {
    return await new Promise<T>((resolve, reject) => {
      stop = () => reject(signal.reason as Error)
      signal.addEventListener('abort', stop, { once: true })
      work().then(resolve, reject)
    })
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
