/**
 * Iterates until the signal is aborted, then throws its reason at once, also when the source takes no notice. The source is told to end; its own
 * ending is not waited for.
 */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  signal.throwIfAborted()
  const iterator = source[Symbol.asyncIterator]()
  let interrupt: () => void = () => undefined
  const stop = (): void => interrupt()
  signal.addEventListener('abort', stop, { once: true })
  let ended = false
  try {
    for (;;) {
      // One promise for each item: nothing is added to a promise that outlives it, however long the stream is.
      const next = await new Promise<IteratorResult<T>>((resolve, reject) => {
        interrupt = () => reject(signal.reason as Error)
        if (signal.aborted) interrupt()
        else iterator.next().then(resolve, reject)
      })
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
