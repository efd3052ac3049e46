import { createSignal, For, type JSX, Show } from 'solid-js'
import { Button, IconButton } from './button.js'
import { Mark, type MarkName } from './mark.js'
import { t } from './texts.js'

interface Toast {
  readonly id: number
  readonly text: string
  readonly mark: MarkName
  readonly action?: { readonly label: string; readonly run: () => void }
}

const toastMs = 5_000
const [toasts, setToasts] = createSignal<readonly Toast[]>([])
let lastId = 0

/**
 * Reports what was done, for five seconds, and longer while the pointer or the focus is on it; assistive technology says it too. At
 * most three are shown. Never for errors that need something done: they stand where they happened, as {@link Failure}.
 *
 * @example
 * showToast(t('deleted'), { action: { label: t('undo'), run: () => void restore() } })
 */
export function showToast(
  text: string,
  options: { readonly mark?: MarkName; readonly action?: { readonly label: string; readonly run: () => void } } = {},
): void {
  lastId += 1
  const { mark = 'done', action } = options
  setToasts((before) => [...before.slice(-2), { id: lastId, text, mark, ...(action && { action }) }])
  announce(text)
}

/** Takes all toasts, banners and announcements away: between tests of components. */
export function clearNotices(): void {
  setToasts([])
  setBanners([])
  setAnnounced('')
}

const dismiss = (id: number): void => void setToasts((before) => before.filter((toast) => toast.id !== id))

/** Where toasts appear. */
export function Toasts(): JSX.Element {
  return (
    <div class="toasts">
      <For each={toasts()}>{(toast) => <ToastCard toast={toast} />}</For>
    </div>
  )
}

function ToastCard(props: { readonly toast: Toast }): JSX.Element {
  let timer: ReturnType<typeof setTimeout> | undefined
  const hold = (): void => clearTimeout(timer)
  const release = (): void => {
    hold()
    timer = setTimeout(() => dismiss(props.toast.id), toastMs)
  }
  release()
  return (
    <div class="toast" onPointerEnter={hold} onPointerLeave={release} onFocusIn={hold} onFocusOut={release}>
      <Mark name={props.toast.mark} />
      <span class="grow">{props.toast.text}</span>
      <Show
        when={props.toast.action}
        fallback={<IconButton icon="x" size="small" name={t('close')} onClick={() => dismiss(props.toast.id)} />}
      >
        {(action) => (
          <Button
            kind="quiet"
            size="small"
            onClick={() => {
              dismiss(props.toast.id)
              action().run()
            }}
          >
            {action().label}
          </Button>
        )}
      </Show>
    </div>
  )
}

/** What the whole page should know. */
export interface Banner {
  readonly id: string
  readonly text: string
  readonly tone?: 'warn' | 'danger'
  readonly mark?: MarkName
  readonly action?: { readonly label: string; readonly run: () => void }
}

const [banners, setBanners] = createSignal<readonly Banner[]>([])

/** Shows a banner until the returned undo is called. The latest one is visible. */
export function showBanner(banner: Banner): () => void {
  const drop = (before: readonly Banner[]): readonly Banner[] => before.filter((other) => other.id !== banner.id)
  setBanners((before) => [...drop(before), banner])
  announce(banner.text)
  return () => void setBanners(drop)
}

/** Where banners of {@link showBanner} appear. */
export function Banners(): JSX.Element {
  return <Show when={banners().at(-1)}>{(banner) => <BannerBar banner={banner()} />}</Show>
}

/** One banner; also inside a page. */
export function BannerBar(props: { readonly banner: Banner }): JSX.Element {
  return (
    <div class="banner" classList={{ danger: props.banner.tone === 'danger' }} role="status">
      <Mark name={props.banner.mark ?? (props.banner.tone === 'danger' ? 'fail' : 'warn')} />
      <span class="grow">{props.banner.text}</span>
      <Show when={props.banner.action}>
        {(action) => (
          <Button size="small" onClick={() => action().run()}>
            {action().label}
          </Button>
        )}
      </Show>
    </div>
  )
}

const [announced, setAnnounced] = createSignal('')

/** Says something to assistive technology, politely and once. Not for single tokens. */
export function announce(text: string): void {
  setAnnounced('')
  queueMicrotask(() => setAnnounced(text))
}

/** The live region. */
export function LiveRegion(): JSX.Element {
  return (
    <div class="sr" role="status" aria-live="polite">
      {announced()}
    </div>
  )
}
