import { createEffect, createSignal, on } from 'solid-js'
import { isProblem } from '../../api/problem.js'

/** What one request answers, with its failure. */
export interface Loaded<Value> {
  readonly value: () => Value | undefined
  readonly error: () => unknown
  reload(): Promise<void>
}

/** Loads at once, and again whenever `key` changes; the value stays until the next one has arrived. */
export function createLoaded<Value>(load: () => Promise<Value>, key: () => unknown = () => undefined): Loaded<Value> {
  const [value, setValue] = createSignal<Value>()
  const [error, setError] = createSignal<unknown>()
  let turn = 0
  const reload = async (): Promise<void> => {
    turn += 1
    const mine = turn
    try {
      const found = await load()
      if (mine !== turn) return
      setValue(() => found)
      setError(undefined)
    } catch (cause) {
      if (mine === turn && !isProblem(cause, 'aborted')) setError(() => cause)
    }
  }
  createEffect(on(key, () => void reload()))
  return { value, error, reload }
}
