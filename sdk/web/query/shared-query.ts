import type { QueryCache } from './cache.js'
import { type ValueSource, valueKind } from './create-query.js'
import { whenForgotten } from './forget-shared.js'
import type { QueryKey } from './key.js'
import type { ValueReading } from './reading-value.js'

/** What modules of a feature share for as long as the page is open, such as a choice of things. */
export interface SharedQuery<Value> {
  /** The latest value, at first `initial`; it stays while a newer one is read, and when that fails. */
  readonly value: () => Value
  /** Whether it was read at all; else `value` is the initial one. */
  readonly isRead: () => boolean
  /** Why the latest reading failed. */
  readonly error: () => Error | undefined
  /** Reads, once at a time. Never rejects: {@link error} has the reason. */
  read(): Promise<void>
  /** Replaces the value in this page, such as after an event; the service is not asked. */
  change(alter: (before: Value) => Value): void
}

/** What a shared query reads. */
export interface SharedQueryOptions<Value> extends ValueSource<Value> {
  /** Names it. A query of a component with the same key has the same value. */
  readonly key: QueryKey
  /** Its value before it was read. */
  readonly initial: Value
}

/** Shares one value; see {@link Queries}. */
export function sharedQuery<Value>(cache: QueryCache, options: SharedQueryOptions<Value>): SharedQuery<Value> {
  let entered: ValueReading<Value> | undefined
  let reading: Promise<void> | undefined
  /** Made when it is asked for first: modules do nothing when they are loaded. */
  const current = (): ValueReading<Value> => {
    if (entered) return entered
    entered = cache.enter(valueKind<Value>(), options.key, options)
    whenForgotten(() => {
      cache.exit(valueKind<Value>(), options.key, options)
      entered = undefined
      reading = undefined
    })
    return entered
  }
  const value = (): Value => (current().isRead() ? (current().value() as Value) : options.initial)
  return {
    value,
    isRead: () => current().isRead(),
    error: () => current().error(),
    read() {
      reading ??= current()
        .reload()
        .finally(() => {
          reading = undefined
        })
      return reading
    },
    change: (alter) => current().set(alter(value())),
  }
}
