import { Dialog, errorText, IconButton, isProblem, send } from '@agent-service/sdk/web'
import { createEffect, createSignal, type JSX, on, onCleanup, Show } from 'solid-js'
import { t } from './texts.js'

/**
 * How the page of a session looks: taken when it is shown, when the session was used since, and when the
 * person asks. An older picture stays until the new one is there. The bytes are shown as a picture alone,
 * whatever they are.
 */
export function PagePicture(props: { readonly id: string; readonly seen: string; readonly title: string }): JSX.Element {
  const [address, setAddress] = createSignal<string>()
  const [failure, setFailure] = createSignal<unknown>()
  const [isTaking, setTaking] = createSignal(false)
  const [isLarge, setLarge] = createSignal(false)
  let controller = new AbortController()
  const forget = (): void => {
    const shown = address()
    if (shown !== undefined) URL.revokeObjectURL(shown)
  }
  const take = async (): Promise<void> => {
    controller.abort()
    controller = new AbortController()
    const { signal } = controller
    setTaking(true)
    try {
      const answer = await send('get', '/api/browser/sessions/{id}/screenshot', { path: { id: props.id }, signal })
      const bytes = await answer.arrayBuffer()
      if (signal.aborted) return
      forget()
      setAddress(URL.createObjectURL(new Blob([bytes], { type: 'image/jpeg' })))
      setFailure(undefined)
    } catch (error) {
      if (signal.aborted || isProblem(error, 'aborted')) return
      setFailure(error)
    }
    setTaking(false)
  }
  createEffect(
    on(
      () => props.seen,
      () => void take(),
    ),
  )
  onCleanup(() => {
    controller.abort()
    forget()
  })
  return (
    <figure class="browser-picture" aria-busy={isTaking()}>
      <Show when={address()} fallback={<p class="meta">{failure() === undefined ? t('taking') : errorText(failure())}</p>}>
        {(shown) => (
          <button type="button" aria-label={t('enlarge', { title: props.title })} onClick={() => setLarge(true)}>
            <img src={shown()} alt={t('picture_of', { title: props.title })} />
          </button>
        )}
      </Show>
      <IconButton icon="refresh" size="small" name={t('take_again', { title: props.title })} onClick={() => void take()} />
      <Show when={isLarge() && address()}>
        {(shown) => (
          <Dialog title={props.title} wide onClose={() => setLarge(false)}>
            <img class="browser-picture-large" src={shown()} alt={t('picture_of', { title: props.title })} />
          </Dialog>
        )}
      </Show>
    </figure>
  )
}
