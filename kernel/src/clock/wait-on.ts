/** A promise over a timer: resolves when it fires, rejects with the signal's reason when that comes first. Leaves no listener and no timer behind. */
export function waitOn(schedule: (callback: () => void) => () => void | Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.reject(signal.reason)
  return new Promise<void>((resolve, reject) => {
    const onAbort = (): void => {
      void cancel()
      reject(signal.reason)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    const cancel = schedule(() => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    })
  })
}
