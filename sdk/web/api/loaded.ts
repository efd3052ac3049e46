import { createComputed, createSignal, onCleanup } from 'solid-js'
import { isProblem } from './problem.js'

/** Something that is read from the service and may be read again. */
export interface Loaded<Value> {
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

/**
 * Reads at once, and again when a signal changes that `load` reads before it first waits. Unlike a
 * resource it never suspends what is already on the screen. The signal is aborted when the component goes, or when it is read again.
 *
 * @example
 * export function Rules(): JSX.Element {
 *   const rules = createLoaded((signal) => api.get('/api/plugins/tool-dice/rules', { signal }))
 *   return (
 *     <Switch fallback={<Skeleton />}>
 *       <Match when={rules.value()}>{(value) => <p>{t('sides', { count: value().sides })}</p>}</Match>
 *       <Match when={rules.error()}>{(error) => <Failure error={error()} onRetry={() => void rules.reload()} />}</Match>
 *     </Switch>
 *   )
 * }
 */
export function createLoaded<Value>(load: (signal: AbortSignal) => Promise<Value>): Loaded<Value> {
  const [value, setValue] = createSignal<Value>()
  const [error, setError] = createSignal<Error>()
  const [isLoading, setLoading] = createSignal(true)
  let controller = new AbortController()
  const read = async (): Promise<void> => {
    controller.abort()
    controller = new AbortController()
    const { signal } = controller
    setLoading(true)
    try {
      const found = await load(signal)
      if (signal.aborted) return
      setValue(() => found)
      setError(undefined)
    } catch (cause) {
      if (signal.aborted || isProblem(cause, 'aborted')) return
      setError(cause instanceof Error ? cause : new Error(String(cause)))
    }
    setLoading(false)
  }
  createComputed(() => void read())
  onCleanup(() => controller.abort())
  return { value, error, isLoading, reload: read, set: (next) => void setValue(() => next) }
}
