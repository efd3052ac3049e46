import { batch, createSignal } from 'solid-js'

/** Something that a person sets off and that can fail. */
export interface Action<Given extends readonly unknown[]> {
  /** Does it; nothing happens while it is being done. Never rejects: {@link failure} has the reason. True: it was done. */
  run(...given: Given): Promise<boolean>
  /** Whether it is being done. */
  readonly busy: () => boolean
  /** What it is being done with, such as the row whose button is busy. */
  readonly given: () => Given | undefined
  /** Why the latest attempt failed; it stays until the next one. */
  readonly failure: () => unknown
  /** Forgets the failure. */
  clear(): void
}

/**
 * Makes an action of a function: what it throws is kept to be shown. Where the person gave up, such as a question of
 * {@link whenConfirmed}, the function resolves with false: it was not done, and nothing has failed.
 *
 * @example
 * export function Roll(props: { readonly id: string }): JSX.Element {
 *   const remove = createAction(() => api.delete('/api/plugins/tool-dice/rolls/{id}', { path: { id: props.id } }))
 *   return (
 *     <>
 *       <Button busy={remove.busy()} onClick={() => void remove.run()}>{t('remove')}</Button>
 *       <Show when={remove.failure()}>{(error) => <Failure error={error()} />}</Show>
 *     </>
 *   )
 * }
 */
export function createAction<Given extends readonly unknown[]>(work: (...given: Given) => Promise<unknown>): Action<Given> {
  const [given, setGiven] = createSignal<Given>()
  const [failure, setFailure] = createSignal<unknown>()
  return {
    given,
    failure,
    busy: () => given() !== undefined,
    clear: () => void setFailure(undefined),
    async run(...wanted) {
      if (given() !== undefined) return false
      batch(() => {
        setGiven(() => wanted)
        setFailure(undefined)
      })
      try {
        return (await work(...wanted)) !== false
      } catch (error) {
        setFailure(() => error ?? new Error('It failed without a reason.'))
        return false
      } finally {
        setGiven(undefined)
      }
    },
  }
}
