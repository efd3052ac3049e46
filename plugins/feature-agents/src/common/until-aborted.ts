/**
 * Iterates until the signal is aborted, then throws its reason at once, also when the source takes no notice. The source is told to end; its own
 * ending is not waited for. One promise for each item: nothing is added to a promise that outlives it, however long the stream is.
 */
export function untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncIterableIterator<T> {
  const over = { done: true, value: undefined } as const
  let iterator: AsyncIterator<T> | undefined
  let interrupt: () => void = () => undefined
  let ended = false
  const stop = (): void => interrupt()
  const end = (source: 'has ended' | 'goes on'): void => {
    if (ended) return
    ended = true
    signal.removeEventListener('abort', stop)
    if (source === 'has ended') return
    // A source that fails while it ends has nobody left to tell.
    iterator?.return?.().then(
      () => undefined,
      () => undefined,
    )
  }
  const begin = (): AsyncIterator<T> => {
    signal.addEventListener('abort', stop, { once: true })
    return source[Symbol.asyncIterator]()
  }

  return {
    [Symbol.asyncIterator]() {
      return this
    },
    next() {
      if (ended) return Promise.resolve(over)
      return new Promise((resolve, reject) => {
        interrupt = () => {
          end('goes on')
          reject(signal.reason as Error)
        }
        if (signal.aborted) return interrupt()
        iterator ??= begin()
        iterator.next().then(
          (result) => {
            if (result.done) end('has ended')
            resolve(result)
          },
          (error: unknown) => {
            end('has ended')
            reject(error)
          },
        )
      })
    },
    return() {
      end('goes on')
      return Promise.resolve(over)
    },
  }
}
