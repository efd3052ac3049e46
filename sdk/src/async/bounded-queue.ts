import { defineError } from '../core/errors.js'
import { onAbort } from './on-abort.js'

/** Something was added to a queue that had been closed. */
export const queueClosedError = defineError<Record<string, never>>({
  code: 'queue_closed',
  status: 500,
  title: 'Queue closed',
  message: () => 'The queue has been closed. Nothing can be added to it; stop the writer first.',
})

/** A first-in, first-out queue of bounded length between one or several writers and one reader. */
export interface BoundedQueue<T> extends AsyncIterable<T> {
  /** How many items wait to be read. */
  readonly size: number
  /** Adds an item if there is room; false if the queue is full or closed. */
  offer(item: T): boolean
  /**
   * Adds an item as soon as there is room, in the order of the calls. @throws {@link
   * queueClosedError}, or the signal's reason.
   */
  push(item: T, options?: { readonly signal?: AbortSignal }): Promise<void>
  /**
   * Closes the queue for writers. Waiting items are still read, then the iteration ends, or throws
   * `error` if given. Only the first call counts.
   */
  close(error?: Error): void
}

interface Writer<T> {
  readonly item: T
  readonly settle: (error?: unknown) => void
}

interface Reader<T> {
  readonly resolve: (result: IteratorResult<T>) => void
  readonly reject: (error: unknown) => void
}

/**
 * Makes an empty queue of at most `maxItems`. It is iterated once; leaving the iteration closes the
 * queue and drops waiting items.
 */
export function createBoundedQueue<T>({ maxItems }: { readonly maxItems: number }): BoundedQueue<T> {
  const items: T[] = []
  const writers = new Set<Writer<T>>()
  const readers: Reader<T>[] = []
  let closed: { readonly error: Error | undefined } | undefined

  const add = (item: T): void => {
    const reader = readers.shift()
    if (reader) reader.resolve({ done: false, value: item })
    else items.push(item)
  }
  const admitWriters = (): void => {
    for (const writer of writers) {
      if (items.length >= maxItems) return
      writers.delete(writer)
      add(writer.item)
      writer.settle()
    }
  }
  const close = (error?: Error): void => {
    if (closed) return
    closed = { error }
    for (const writer of writers) writer.settle(queueClosedError.create({}))
    writers.clear()
    for (const reader of readers.splice(0)) finish(reader, error)
  }
  const finish = (reader: Reader<T>, error: Error | undefined): void => {
    if (error) reader.reject(error)
    else reader.resolve({ done: true, value: undefined })
  }

  return {
    get size() {
      return items.length
    },
    offer(item) {
      if (closed || items.length >= maxItems) return false
      add(item)
      return true
    },
    async push(item, { signal } = {}) {
      signal?.throwIfAborted()
      if (closed) throw queueClosedError.create({})
      if (items.length < maxItems && writers.size === 0) return add(item)
      await new Promise<void>((resolve, reject) => {
        const writer: Writer<T> = {
          item,
          settle(error) {
            forget()
            if (error === undefined) resolve()
            else reject(error)
          },
        }
        writers.add(writer)
        const forget = onAbort(signal, (reason) => {
          writers.delete(writer)
          reject(reason)
        })
      })
    },
    close,
    [Symbol.asyncIterator]: () => ({
      next: () =>
        new Promise((resolve, reject) => {
          const [item] = items
          if (items.length > 0) {
            items.shift()
            resolve({ done: false, value: item as T })
            admitWriters()
          } else if (closed) finish({ resolve, reject }, closed.error)
          else readers.push({ resolve, reject })
        }),
      return() {
        items.length = 0
        close()
        return Promise.resolve({ done: true as const, value: undefined })
      },
    }),
  }
}
