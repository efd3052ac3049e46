import './beside.css'
import {
  bytesText,
  fileAddress,
  hasScreen,
  Icon,
  IconButton,
  type IconName,
  itemActions,
  momentText,
  recall,
  remember,
} from '@agent-service/sdk/web'
import { contentAddress, createReading, FileView, type Reading, type ShownFile } from '@agent-service/sdk/web/preview'
import { createEffect, createSignal, createUniqueId, Index, type JSX, on, onCleanup, onMount, Show } from 'solid-js'
import { t } from './texts.js'

/** Below this width the file lies over the chat. */
const narrow = matchMedia('(max-width: 1100px)')

/**
 * The panel beside a chat, which shows one file. It stands in one layout with the chat, and behind it;
 * `onCover` hears whether it lies over the chat, and that it no longer does when it goes.
 */
export function BesidePanel(props: {
  readonly file: ShownFile
  readonly onClose: () => void
  readonly onCover: (covers: boolean) => void
}): JSX.Element {
  const id = createUniqueId()
  let heading: HTMLHeadingElement | undefined
  const [panel, setPanel] = createSignal<HTMLElement>()
  const [isLarge, setLarge] = createSignal(false)
  const [isNarrow, setNarrow] = createSignal(narrow.matches)
  const look = (): void => void setNarrow(narrow.matches)
  narrow.addEventListener('change', look)
  onCleanup(() => narrow.removeEventListener('change', look))
  createEffect(() => props.onCover(isNarrow() || isLarge()))
  onCleanup(() => props.onCover(false))
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.preventDefault()
    props.onClose()
  }
  onMount(() =>
    createEffect(
      on(
        () => props.file,
        () => heading?.focus({ preventScroll: true }),
      ),
    ),
  )
  return (
    <>
      <Show when={!isNarrow() && !isLarge()}>
        <Divider panel={panel} />
      </Show>
      <section class="beside" ref={setPanel} aria-labelledby={id} onKeyDown={onKeyDown}>
        <Show when={props.file} keyed>
          {(file) => {
            const reading = createReading(() => file)
            return (
              <>
                <header class="beside-head">
                  <h2 id={id} class="cut" tabindex="-1" ref={(made) => (heading = made)}>
                    <bdi>{file.name}</bdi>
                  </h2>
                  <div class="beside-tools">
                    <FileTools file={file} reading={reading} />
                    <Show when={!isNarrow()}>
                      <IconButton icon="maximize" size="small" name={t('full')} pressed={isLarge()} onClick={() => setLarge(!isLarge())} />
                    </Show>
                    <IconButton icon="x" size="small" name={t('close')} onClick={() => props.onClose()} />
                  </div>
                </header>
                <div class="beside-body">
                  <Facts reading={reading} />
                  <FileView reading={reading} />
                </div>
              </>
            )
          }}
        </Show>
      </section>
    </>
  )
}

function Facts(props: { readonly reading: Reading }): JSX.Element {
  const text = (): string => {
    const { size, modifiedAt } = props.reading.loaded.value() ?? {}
    return [size !== undefined && bytesText(size), modifiedAt !== undefined && momentText(modifiedAt)].filter(Boolean).join(' · ')
  }
  return (
    <Show when={text() !== '' && !props.reading.isGone()}>
      <p class="meta beside-facts">{text()}</p>
    </Show>
  )
}

function FileTools(props: { readonly file: ShownFile; readonly reading: Reading }): JSX.Element {
  return (
    <>
      <IconButton icon="refresh" size="small" name={t('reload')} onClick={props.reading.reload} />
      <Show when={!props.reading.isGone()}>
        <Index each={itemActions({ kind: 'file', name: props.file.name, path: props.file.path })}>
          {(action) => <IconButton icon={action().icon} size="small" name={action().label} onClick={() => action().run()} />}
        </Index>
        <IconLink
          icon="download"
          name={t('download', { name: props.file.name })}
          href={contentAddress(props.file.path)}
          download={props.file.name}
        />
        <Show when={hasScreen(fileAddress(props.file.path))}>
          <IconLink icon="folder" name={t('open_in_files')} href={fileAddress(props.file.path)} />
        </Show>
      </Show>
    </>
  )
}

function IconLink(props: {
  readonly icon: IconName
  readonly name: string
  readonly href: string
  readonly download?: string
}): JSX.Element {
  return (
    <a class="btn quiet ico s" href={props.href} download={props.download} aria-label={props.name} title={props.name}>
      <Icon name={props.icon} />
    </a>
  )
}

const widthKey = 'beside-width'
const [smallest, largest, step, usual] = [25, 75, 5, 50]
const within = (percent: number): number => Math.min(largest, Math.max(smallest, Math.round(percent)))

/** Moves the border between the chat and the file: by the pointer, or the arrows. */
function Divider(props: { readonly panel: () => HTMLElement | undefined }): JSX.Element {
  const [width, setWidth] = createSignal(within(Number(recall(widthKey) ?? usual)))
  const change = (percent: number): void => {
    setWidth(within(percent))
    remember(widthKey, String(width()))
  }
  createEffect(() => props.panel()?.style.setProperty('flex-basis', `${width()}%`))
  const isLeftToRight = (element: Element): boolean => getComputedStyle(element).direction === 'ltr'
  const onPointerMove = (event: PointerEvent & { readonly currentTarget: HTMLElement }): void => {
    const { currentTarget } = event
    const layout = currentTarget.parentElement?.getBoundingClientRect()
    if (!layout || !currentTarget.hasPointerCapture(event.pointerId)) return
    const fromStart = (event.clientX - layout.left) / layout.width
    change(100 * (isLeftToRight(currentTarget) ? 1 - fromStart : fromStart))
  }
  const onKeyDown = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void => {
    const towards = { ArrowLeft: step, ArrowRight: -step }[event.key]
    const edge = { Home: smallest, End: largest }[event.key]
    if (towards === undefined && edge === undefined) return
    event.preventDefault()
    change(edge ?? width() + (isLeftToRight(event.currentTarget) ? (towards ?? 0) : -(towards ?? 0)))
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a border that can be moved is a separator with a value (WAI-ARIA)
    <div
      class="beside-divider"
      role="separator"
      tabindex="0"
      aria-orientation="vertical"
      aria-label={t('width')}
      aria-valuemin={smallest}
      aria-valuemax={largest}
      aria-valuenow={width()}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
      onKeyDown={onKeyDown}
    />
  )
}
