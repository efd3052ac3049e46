import { onAbort } from './on-abort.js'

/**
 * Iterates until the signal is aborted, then throws its reason at once, even when the source
 * ignores it. The source is asked to end; its own ending is not waited for. One promise for each
 * item: nothing is added to a promise that outlives it, however long the stream is.
 */
export function untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncIterableIterator<T> {
  const over = { done: true, value: undefined } as const
  let iterator: AsyncIterator<T> | undefined
  let interrupt: () => void = () => undefined
  let forget: () => void = () => undefined
  let ended = false

  const end = (): void => {
    ended = true
    forget()
  }
  const leave = (): void => {
    if (ended) return
    end()
    // A source that fails while it ends cannot report to the caller any more.
    iterator?.return?.().then(undefined, () => undefined)
  }
  const begin = (): AsyncIterator<T> => {
    forget = onAbort(signal, () => interrupt())
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
          leave()
          reject(signal.reason as Error)
        }
        if (signal.aborted) return interrupt()
        iterator ??= begin()
        iterator.next().then(
          (result) => {
            if (result.done) end()
            resolve(result)
          },
          (error: unknown) => {
            end()
            reject(error)
          },
        )
      })
    },
    return() {
      leave()
      return Promise.resolve(over)
    },
  }
}
