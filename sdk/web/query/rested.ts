import { type Accessor, createComputed, createSignal, on, onCleanup } from 'solid-js'

/**
 * Follows a signal once it has rested for so many milliseconds, such as a search that is still being typed.
 *
 * @example
 * const [search, setSearch] = createSignal('')
 * const asked = createRested(search, 150)
 * const list = createPagedQuery({ key: () => ['rolls', asked().trim()], read: readRolls, idOf: ({ id }) => id })
 */
export function createRested<Value>(of: Accessor<Value>, milliseconds: number): Accessor<Value> {
  const [rested, setRested] = createSignal(of())
  createComputed(
    on(
      of,
      (value) => {
        const timer = setTimeout(() => setRested(() => value), milliseconds)
        onCleanup(() => clearTimeout(timer))
      },
      { defer: true },
    ),
  )
  return rested
}
