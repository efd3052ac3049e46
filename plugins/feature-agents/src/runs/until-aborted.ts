/**
 * Iterates until the signal is aborted, then throws its reason at once, also when the source takes no notice. The source is told to end; its own
 * ending is not waited for.
 */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]()
  let stop: () => void = () => undefined
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
  // Only the race below may report it.
  aborted.catch(() => undefined)
  let ended = false
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), aborted])
      if (next.done) {
        ended = true
        return
      }
      yield next.value
    }
  } catch (error) {
    ended = !signal.aborted
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
    if (!ended) {
      // A source that fails while it ends has nobody left to tell.
      iterator.return?.().then(
        () => undefined,
        () => undefined,
      )
    }
  }
}
