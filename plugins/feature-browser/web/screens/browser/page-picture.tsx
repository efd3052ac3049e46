import { Dialog, errorText, IconButton, send } from '@agent-service/sdk/web'
import { createMemo, createSignal, type JSX, onCleanup, Show } from 'solid-js'
import { createQuery } from '../../api/index.js'
import { t } from './texts.js'

/**
 * How the page of a session looks: taken when it is shown, when the session was used since, and when the
 * person asks. An older picture stays until the new one is there. The bytes are shown as a picture alone,
 * whatever they are.
 */
export function PagePicture(props: { readonly id: string; readonly seen: string; readonly title: string }): JSX.Element {
  const picture = createQuery({
    key: () => ['picture', props.id, props.seen],
    read: async (signal) => {
      const answer = await send('get', '/api/browser/sessions/{id}/screenshot', { path: { id: props.id }, signal })
      return new Blob([await answer.arrayBuffer()], { type: 'image/jpeg' })
    },
    follow: false,
  })
  const address = createMemo(() => {
    const found = picture.value()
    if (!found) return undefined
    const made = URL.createObjectURL(found)
    onCleanup(() => URL.revokeObjectURL(made))
    return made
  })
  const [isLarge, setLarge] = createSignal(false)
  return (
    <figure class="browser-picture" aria-busy={picture.isLoading()}>
      <Show when={address()} fallback={<p class="meta">{picture.error() === undefined ? t('taking') : errorText(picture.error())}</p>}>
        {(shown) => (
          <button type="button" aria-label={t('enlarge', { title: props.title })} onClick={() => setLarge(true)}>
            <img src={shown()} alt={t('picture_of', { title: props.title })} />
          </button>
        )}
      </Show>
      <IconButton icon="refresh" size="small" name={t('take_again', { title: props.title })} onClick={() => void picture.reload()} />
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
