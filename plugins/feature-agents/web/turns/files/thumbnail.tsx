import { send } from '@agent-service/sdk/web'
import { createSignal, type JSX, onCleanup, Show } from 'solid-js'
import type { MadeFile } from './made-file.js'

/** Larger pictures are shown when they are opened. */
const maxBytes = 8 * 1024 * 1024

/** A picture in small, once it comes into view; the fallback for other files, and for what cannot be shown. */
export function Thumbnail(props: { readonly file: MadeFile; readonly fallback: JSX.Element }): JSX.Element {
  /** Another content is another picture. */
  const shown = (): string | undefined =>
    props.file.media_type !== undefined && props.file.size <= maxBytes ? `${props.file.etag ?? ''} ${props.file.size}` : undefined
  return (
    <Show when={shown()} keyed fallback={props.fallback}>
      {(_) => <Picture path={props.file.path} type={props.file.media_type ?? ''} fallback={props.fallback} />}
    </Show>
  )
}

/** Shows the bytes as pixels: they are read by the page, never opened as a document. */
function Picture(props: { readonly path: string; readonly type: string; readonly fallback: JSX.Element }): JSX.Element {
  const [address, setAddress] = createSignal<string>()
  const [failed, setFailed] = createSignal(false)
  const controller = new AbortController()
  onCleanup(() => {
    controller.abort()
    const made = address()
    if (made !== undefined) URL.revokeObjectURL(made)
  })
  const read = async (): Promise<void> => {
    try {
      const answer = await send('get', '/api/files/content', { query: { path: props.path }, signal: controller.signal })
      const bytes = await answer.arrayBuffer()
      if (!controller.signal.aborted) setAddress(URL.createObjectURL(new Blob([bytes], { type: props.type })))
    } catch {
      // It is gone, or is not a picture any more: opening it says which.
      setFailed(true)
    }
  }
  const watch = (element: HTMLElement): void => {
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      observer.disconnect()
      void read()
    })
    observer.observe(element)
    onCleanup(() => observer.disconnect())
  }
  return (
    <Show when={!failed()} fallback={props.fallback}>
      <span class="made-thumb" ref={watch}>
        <Show when={address()}>{(made) => <img src={made()} alt="" onError={() => setFailed(true)} />}</Show>
      </span>
    </Show>
  )
}
