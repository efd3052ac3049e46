import { createSignal, type JSX, Match, Show, Switch } from 'solid-js'
import { api, send } from '../../api/client.js'
import { createLoaded } from '../../api/loaded.js'
import type { Schemas } from '../../api/types.js'
import { bytesText, momentText } from '../../i18n/formats.js'
import { Button, ButtonLink } from '../../ui/button.js'
import { Sheet } from '../../ui/dialog.js'
import { showToast } from '../../ui/notices.js'
import { errorText, Failure, Skeleton } from '../../ui/states.js'
import { loadMarkdown, markdownNodes } from '../chat/markdown/load-markdown.js'
import { t } from './texts.js'

const maxTextBytes = 200_000

const addressOf = (path: string): string => `/api/files/content?path=${encodeURIComponent(path)}`

type Content =
  | { readonly kind: 'image' | 'audio' | 'video' | 'pdf' | 'binary' }
  | { readonly kind: 'text' | 'markdown'; readonly text: string; readonly isCut: boolean }

/** By what the service has found in the bytes, not by the name. */
async function contentOf({ path, size, name }: Schemas['ListedFile'], signal: AbortSignal): Promise<Content> {
  const headers = size > maxTextBytes ? { range: `bytes=0-${maxTextBytes - 1}` } : {}
  const answer = await send('get', '/api/files/content', { query: { path }, headers, signal })
  const type = answer.headers.get('content-type') ?? ''
  const [, media] = /^(image|audio|video)\//.exec(type) ?? []
  if (media === 'image' || media === 'audio' || media === 'video' || type === 'application/pdf') {
    await answer.body?.cancel()
    return { kind: type === 'application/pdf' ? 'pdf' : (media as 'image' | 'audio' | 'video') }
  }
  const text = new TextDecoder().decode(await answer.arrayBuffer())
  if (text.includes('\0')) return { kind: 'binary' }
  if (/\.(md|markdown)$/i.test(name)) await loadMarkdown()
  return { kind: /\.(md|markdown)$/i.test(name) ? 'markdown' : 'text', text, isCut: size > maxTextBytes }
}

/**
 * Shows a file: text and code as text, Markdown without anything that could run or load, images,
 * sound and video by their elements, PDF documents by the browser's viewer. Nothing of a file is
 * ever a page or a script of this origin.
 */
export function Preview(props: { readonly file: Schemas['ListedFile']; readonly onClose: () => void }): JSX.Element {
  const address = (): string => addressOf(props.file.path)
  const content = createLoaded<Content>((signal) => contentOf(props.file, signal))
  const [checksum, setChecksum] = createSignal<string>()
  const [busy, setBusy] = createSignal(false)
  const compute = async (): Promise<void> => {
    setBusy(true)
    try {
      setChecksum((await api.get('/api/files/checksum', { query: { path: props.file.path } })).sha256)
    } catch (error) {
      showToast(errorText(error))
    } finally {
      setBusy(false)
    }
  }
  const isA = (kind: Content['kind']): boolean => content.value()?.kind === kind
  const text = (): string => {
    const value = content.value()
    return value && 'text' in value ? value.text : ''
  }
  const isCut = (): boolean => {
    const value = content.value()
    return value !== undefined && 'isCut' in value && value.isCut
  }
  return (
    <Sheet
      title={props.file.name}
      onClose={props.onClose}
      footer={
        <>
          <Button kind="quiet" busy={busy()} onClick={() => void compute()}>
            {t('checksum')}
          </Button>
          <ButtonLink href={address()} icon="download" download={props.file.name}>
            {t('download')}
          </ButtonLink>
        </>
      }
    >
      <p class="meta files-facts">
        {bytesText(props.file.size)} · {momentText(props.file.modified_at)}
      </p>
      <Show when={checksum()}>{(sha256) => <p class="meta files-checksum">SHA-256 {sha256()}</p>}</Show>
      <Switch fallback={<Skeleton lines={8} />}>
        <Match when={content.error()}>{(error) => <Failure error={error()} onRetry={() => void content.reload()} />}</Match>
        <Match when={isA('image')}>
          <img class="files-image" src={address()} alt={props.file.name} />
        </Match>
        <Match when={isA('audio')}>
          {/* biome-ignore lint/a11y/useMediaCaption: a person's own file has no captions */}
          <audio class="files-media" controls preload="metadata" src={address()} aria-label={props.file.name} />
        </Match>
        <Match when={isA('video')}>
          {/* biome-ignore lint/a11y/useMediaCaption: a person's own file has no captions */}
          <video class="files-media" controls preload="metadata" src={address()} aria-label={props.file.name} />
        </Match>
        <Match when={isA('pdf')}>
          <iframe class="files-pdf" title={props.file.name} src={`${address()}&view=inline`} />
        </Match>
        <Match when={isA('binary')}>
          <p class="t2">{t('no_preview')}</p>
        </Match>
        <Match when={isA('markdown')}>
          <div class="files-markdown prose foreign">{markdownNodes()?.(text(), 'document')}</div>
        </Match>
        <Match when={isA('text')}>
          <pre class="files-text foreign">{text()}</pre>
        </Match>
      </Switch>
      <Show when={isCut()}>
        <p class="help">{t('only_beginning')}</p>
      </Show>
    </Sheet>
  )
}
