import { batch, createSignal } from 'solid-js'

/** Something that a person sets off and that can fail. */
export interface Action<Given extends readonly unknown[]> {
  /**
   * Does it; nothing happens while it is being done, unless it is concurrent. Never rejects: {@link failure} has the reason. True: it
   * was done.
   */
  run(...given: Given): Promise<boolean>
  /** Whether it is being done. */
  readonly busy: () => boolean
  /** What it is being done with, of several the latest, such as the row whose button is busy. */
  readonly given: () => Given | undefined
  /** Why the latest attempt failed; it stays until the next one. */
  readonly failure: () => unknown
  /** Forgets the failure. */
  clear(): void
}

/** How an action is done. */
export interface ActionOptions {
  /** True: one begins while others are being done, such as those of the rows of a list. The failure is the latest one. */
  readonly concurrent?: boolean
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
export function createAction<Given extends readonly unknown[]>(
  work: (...given: Given) => Promise<unknown>,
  { concurrent = false }: ActionOptions = {},
): Action<Given> {
  const [running, setRunning] = createSignal<readonly Given[]>([])
  const [failure, setFailure] = createSignal<unknown>()
  return {
    failure,
    given: () => running().at(-1),
    busy: () => running().length > 0,
    clear: () => void setFailure(undefined),
    async run(...wanted) {
      if (!concurrent && running().length > 0) return false
      batch(() => {
        setRunning((others) => [...others, wanted])
        setFailure(undefined)
      })
      try {
        return (await work(...wanted)) !== false
      } catch (error) {
        setFailure(() => error ?? new Error('It failed without a reason.'))
        return false
      } finally {
        setRunning((all) => all.filter((each) => each !== wanted))
      }
    },
  }
}
