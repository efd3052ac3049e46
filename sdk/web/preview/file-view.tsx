import './preview.css'
import { createMemo, createSignal, type JSX, Match, onCleanup, Show, Switch } from 'solid-js'
import { isProblem } from '../api/problem.js'
import { loadMarkdown, markdownNodes } from '../markdown/load-markdown.js'
import { Button } from '../ui/button.js'
import { Mark } from '../ui/mark.js'
import { lazyPart } from '../ui/part.js'
import { EmptyState, Failure, Skeleton } from '../ui/states.js'
import { Segments } from '../ui/tabs.js'
import type { ContentKind } from './content-kind.js'
import { contentAddress, type ReadFile, type ShownFile } from './read-file.js'
import type { Reading } from './reading.js'
import { TextView } from './text-view.js'
import { t } from './texts.js'

const loading = (): JSX.Element => <Skeleton lines={8} />
const TableView = lazyPart(
  () => import('./table-view.js'),
  (module) => module.TableView,
  loading,
)
const PageView = lazyPart(
  () => import('./page-view.js'),
  (module) => module.PageView,
  loading,
)

/** What has two forms, and the name of the first; the other is its source. */
const formNames = { page: 'page', table: 'table', drawing: 'drawing', markdown: 'formatted' } as const

/**
 * Shows a file: pages in a frame that confines them, tables as tables, text and code as text, Markdown
 * without anything that could run or load, images, sound and video by their elements, PDF documents
 * by the browser's viewer. Nothing of a file is ever a page or a script of this origin.
 */
export function FileView(props: { readonly reading: Reading }): JSX.Element {
  const { loaded } = props.reading
  const isGone = (): boolean => props.reading.isGone() || isProblem(loaded.error(), 'not_found')
  return (
    <Switch fallback={<Skeleton lines={8} />}>
      <Match when={isGone()}>
        <EmptyState title={t('gone', { name: props.reading.file().name })} text={t('gone_text')} />
      </Match>
      <Match when={loaded.error()}>{(error) => <Failure error={error()} onRetry={props.reading.reload} />}</Match>
      <Match when={loaded.value()} keyed>
        {(read) => (
          <>
            <Show when={props.reading.isChanged()}>
              <p class="preview-changed" role="status">
                <Mark name="warn" />
                <span class="grow">{t('changed')}</span>
                <Button size="small" icon="refresh" onClick={props.reading.reload}>
                  {t('reload')}
                </Button>
              </p>
            </Show>
            <Content file={props.reading.file()} read={read} />
          </>
        )}
      </Match>
    </Switch>
  )
}

function Content(props: { readonly file: ShownFile; readonly read: ReadFile }): JSX.Element {
  const { read } = props
  const [form, setForm] = createSignal<'shown' | 'source'>('shown')
  const canShowPages = 'trustedTypes' in globalThis
  const isWithoutForm = (): boolean => read.kind === 'page' && (read.isCut || !canShowPages)
  const hasForms = (): boolean => read.kind in formNames && !isWithoutForm() && !(read.kind === 'drawing' && read.isCut)
  const kind = (): ContentKind => (read.kind in formNames && (form() === 'source' || !hasForms()) ? 'text' : read.kind)
  const name = formNames[read.kind as keyof typeof formNames]
  return (
    <div class="preview">
      <Show when={hasForms()}>
        <div class="preview-forms">
          <Segments
            label={t('as')}
            value={form()}
            onInput={setForm}
            choices={[
              { value: 'shown', label: t(name) },
              { value: 'source', label: t('source') },
            ]}
          />
        </div>
      </Show>
      <Show when={isWithoutForm()}>
        <p class="help preview-note">{t(read.isCut ? 'page_too_large' : 'page_old_browser')}</p>
      </Show>
      <Switch>
        <Match when={read.text === '' && ['text', 'table', 'markdown', 'page', 'drawing'].includes(read.kind)}>
          <p class="t2">{t('empty')}</p>
        </Match>
        <Match when={kind() === 'image'}>
          <Picture {...props} />
        </Match>
        <Match when={kind() === 'drawing'}>
          <img class="preview-image drawing" src={drawingAddress(read.text)} alt={props.file.name} />
        </Match>
        <Match when={kind() === 'audio'}>
          {/* biome-ignore lint/a11y/useMediaCaption: a person's own file has no captions */}
          <audio class="preview-media" controls preload="metadata" src={contentAddress(props.file.path)} aria-label={props.file.name} />
        </Match>
        <Match when={kind() === 'video'}>
          {/* biome-ignore lint/a11y/useMediaCaption: a person's own file has no captions */}
          <video class="preview-media" controls preload="metadata" src={contentAddress(props.file.path)} aria-label={props.file.name} />
        </Match>
        <Match when={kind() === 'pdf'}>
          <iframe class="preview-pdf" title={props.file.name} src={`${contentAddress(props.file.path)}&view=inline`} />
        </Match>
        <Match when={kind() === 'none'}>
          <p class="t2">{t('no_preview')}</p>
        </Match>
        <Match when={kind() === 'table'}>
          <TableView text={read.text} name={props.file.name} isCut={read.isCut} />
        </Match>
        <Match when={kind() === 'page'}>
          <PageView html={read.text} path={props.file.path} name={props.file.name} />
        </Match>
        <Match when={kind() === 'markdown'}>
          <Markdown text={read.text} />
        </Match>
        <Match when={kind() === 'text'}>
          <TextView text={read.text} name={props.file.name} isCut={read.isCut} />
        </Match>
      </Switch>
      <Show when={read.isCut && ['markdown', 'text'].includes(kind())}>
        <p class="help">{t('only_beginning')}</p>
      </Show>
    </div>
  )
}

/** By its bytes, so that a changed picture is not shown as it was before. */
function Picture(props: { readonly file: ShownFile; readonly read: ReadFile }): JSX.Element {
  const address = createMemo(() => props.read.image && URL.createObjectURL(props.read.image))
  onCleanup(() => {
    const made = address()
    if (made !== undefined) URL.revokeObjectURL(made)
  })
  return <img class="preview-image" src={address() ?? contentAddress(props.file.path)} alt={props.file.name} />
}

/** As a picture, an SVG document runs nothing and loads nothing; opened by its address, it has no origin. */
const drawingAddress = (text: string): string => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`

function Markdown(props: { readonly text: string }): JSX.Element {
  void loadMarkdown()
  return (
    <Show when={markdownNodes()} fallback={<Skeleton lines={8} />}>
      {(nodes) => <div class="preview-markdown prose foreign">{nodes()(props.text, 'document')}</div>}
    </Show>
  )
}
