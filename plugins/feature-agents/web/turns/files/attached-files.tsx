import { bytesText, Dialog, Icon, placed, send } from '@agent-service/sdk/web'
import { createSignal, For, type JSX, onCleanup, Show } from 'solid-js'
import type { Schemas } from '../../api/index.js'
import { showBeside } from '../../beside/beside.js'
import { t } from './texts.js'

type MediaPart = Schemas['ImagePart'] | Schemas['FilePart']

const pictures = /^image\/(png|jpeg|gif|webp)$/

/** The pictures and files of a message or a result. */
export function AttachedFiles(props: { readonly parts: readonly MediaPart[] }): JSX.Element {
  return (
    <Show when={props.parts.length > 0}>
      <div class="files">
        <For each={props.parts}>
          {(part) => (
            <Show when={pictures.test(part.media_type)} fallback={<FileLink part={part} />}>
              <Picture part={part} />
            </Show>
          )}
        </For>
      </div>
    </Show>
  )
}

/** Opens the file as it is now, beside the chat; its address saves it. */
function FileLink(props: { readonly part: MediaPart }): JSX.Element {
  const words = (): JSX.Element => (
    <>
      <Icon name={pictures.test(props.part.media_type) ? 'photo' : 'file-text'} />
      <bdi class="cut">{props.part.name ?? t(pictures.test(props.part.media_type) ? 'picture' : 'file')}</bdi>
      <Show when={props.part.size}>{(size) => <span class="meta">{bytesText(size())}</span>}</Show>
    </>
  )
  return (
    <Show when={props.part.path} fallback={<span class="file">{words()}</span>}>
      {(path) => (
        <a
          class="file"
          href={placed(`/api/files/content?path=${encodeURIComponent(path())}`)}
          download={props.part.name ?? ''}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
            event.preventDefault()
            showBeside({ path: path(), name: props.part.name ?? t('file') })
          }}
        >
          {words()}
        </a>
      )}
    </Show>
  )
}

/**
 * Shows the bytes of a picture as pixels: they are read by the page, never opened as a document, and
 * only types that cannot act are shown. A file that has changed since is only named.
 */
function Picture(props: { readonly part: MediaPart }): JSX.Element {
  const [address, setAddress] = createSignal<string>()
  const [failed, setFailed] = createSignal(false)
  const [large, setLarge] = createSignal(false)
  const controller = new AbortController()
  onCleanup(() => {
    controller.abort()
    const shown = address()
    if (shown !== undefined) URL.revokeObjectURL(shown)
  })
  const read = async (): Promise<void> => {
    try {
      const bytes = await bytesOf(props.part, controller.signal)
      if (!controller.signal.aborted) setAddress(URL.createObjectURL(new Blob([bytes], { type: props.part.media_type })))
    } catch {
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
  const name = (): string => props.part.name ?? t('picture')
  return (
    <Show when={!failed()} fallback={<FileLink part={props.part} />}>
      <button type="button" class="chat-picture" ref={watch} aria-label={t('enlarge', { name: name() })} onClick={() => setLarge(true)}>
        <Show when={address()}>{(shown) => <img src={shown()} alt={name()} />}</Show>
      </button>
      <Show when={large() && address()}>
        {(shown) => (
          <Dialog title={name()} wide onClose={() => setLarge(false)}>
            <img class="chat-picture-large" src={shown()} alt={name()} />
          </Dialog>
        )}
      </Show>
    </Show>
  )
}

/** The bytes of a picture or file. @throws {ApiProblem} when the file is gone or is not the one that was attached. */
export async function bytesOf({ data, path, etag }: MediaPart, signal: AbortSignal): Promise<ArrayBuffer> {
  if (data !== undefined) return Uint8Array.from(atob(data), (character) => character.charCodeAt(0)).buffer
  const answer = await send('get', '/api/files/content', { query: { path }, signal })
  if (etag !== undefined && answer.headers.get('etag') !== etag) throw new Error('The file has changed since.')
  return answer.arrayBuffer()
}
