import { createSignal } from 'solid-js'
import { whenForgotten } from '../query/forget-shared.js'

/** What several places of the console show, such as a choice of things: read once for all of them. */
export interface Kept<Value> {
  /** The latest value; it stays while a newer one is read, and when that fails. */
  readonly value: () => Value
  /** Whether it was read at all; else `value` is the initial one. */
  readonly isRead: () => boolean
  /** Why the latest reading failed. */
  readonly error: () => unknown
  /** Reads, once at a time. Never rejects: {@link error} has the reason. */
  read(): Promise<void>
  /** Replaces the value in this page, such as after an event; the service is not asked. */
  change(alter: (before: Value) => Value): void
}

/**
 * Keeps a value for as long as the page is open; made at the top of a module. `load` is called by `read` alone.
 *
 * @example
 * const dice = createKept<readonly Roll[]>([], async () => (await readRolls(undefined)).items)
 *
 * export function Count(): JSX.Element {
 *   void dice.read()
 *   return (
 *     <Show when={!dice.error()} fallback={<Failure error={dice.error()} onRetry={() => void dice.read()} />}>
 *       {dice.value().length}
 *     </Show>
 *   )
 * }
 */
export function createKept<Value>(initial: Value, load: () => Promise<Value>): Kept<Value> {
  const [value, setValue] = createSignal<Value>(initial)
  const [error, setError] = createSignal<unknown>()
  const [isRead, setIsRead] = createSignal(false)
  let reading: Promise<void> | undefined
  const begin = (): void =>
    whenForgotten(() => {
      setValue(() => initial)
      setError(undefined)
      setIsRead(false)
      reading = undefined
    })
  const readOnce = async (): Promise<void> => {
    try {
      const found = await load()
      setValue(() => found)
      setIsRead(true)
      setError(undefined)
    } catch (cause) {
      setError(cause)
    } finally {
      reading = undefined
    }
  }
  return {
    value,
    error,
    isRead,
    read() {
      begin()
      reading ??= readOnce()
      return reading
    },
    change(alter) {
      begin()
      setValue(alter)
    },
  }
}
