import { createSignal } from 'solid-js'
import { isProblem } from '../api/problem.js'
import type { Reading } from './cache.js'
import { createRefresh } from './refresh.js'
import { withSameParts } from './same-parts.js'

/** What is read from the service and read again when it changes. */
export interface Query<Value> {
  /** The latest value; it stays while a newer one is read, and when that fails. */
  readonly value: () => Value | undefined
  /** Why the latest reading failed. */
  readonly error: () => Error | undefined
  /** Whether it is being read now, for the first time or again. */
  readonly isLoading: () => boolean
  /** Reads again; a reading under way is given up. Never rejects: `error` has the reason. */
  reload(): Promise<void>
  /** Takes a value that is known without reading, such as the answer to a change. */
  set(value: Value): void
}

/** One value under a key. */
export interface ValueReading<Value> extends Reading, Query<Value> {}

export const asError = (cause: unknown): Error => (cause instanceof Error ? cause : new Error(String(cause)))

/** Reads one value. */
export function createValueReading<Value>(read: (signal: AbortSignal) => Promise<Value>): ValueReading<Value> {
  const [value, setValue] = createSignal<Value>()
  const [error, setError] = createSignal<Error>()
  const [isLoading, setLoading] = createSignal(false)
  const [isRead, setRead] = createSignal(false)
  let controller: AbortController | undefined
  const take = (found: Value): void => {
    setValue((before) => withSameParts(before, found))
    setRead(true)
    setError(undefined)
  }
  const reload = async (): Promise<void> => {
    controller?.abort()
    controller = new AbortController()
    const { signal } = controller
    setLoading(true)
    try {
      const found = await read(signal)
      if (!signal.aborted) take(found)
    } catch (cause) {
      if (signal.aborted || isProblem(cause, 'aborted')) return
      setError(asError(cause))
    }
    if (!signal.aborted) setLoading(false)
  }
  const refresh = createRefresh(reload, isLoading)
  return {
    value,
    error,
    isLoading,
    isRead,
    reload,
    isBegun: () => isRead() || isLoading() || error() !== undefined,
    join: () => void (isLoading() || reload()),
    refresh: refresh.later,
    stop() {
      refresh.stop()
      controller?.abort()
    },
    set(next) {
      take(next)
      // What is being read may be older.
      if (isLoading()) refresh.later()
    },
  }
}
