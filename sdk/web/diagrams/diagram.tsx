import './diagram.css'
import { createEffect, createSignal, type JSX, onCleanup, onMount, Show } from 'solid-js'
import { createUsesDark } from '../app/theme.js'
import { saveBlob } from '../core/csv.js'
import { IconButton } from '../ui/button.js'
import { CopyButton } from '../ui/copy-button.js'
import { Mark } from '../ui/mark.js'
import { diagramKind } from './diagram-kind.js'
import { type DiagramLook, drawDiagram } from './draw-diagram.js'
import { t } from './texts.js'

interface Shown {
  readonly file: Blob
  readonly address: string
  readonly width: number
  readonly height: number
}

/** How far from the window a diagram begins to be drawn. */
const nearby = '800px'

/**
 * A diagram as a picture, which cannot act; its source can be shown, copied and saved. It is drawn
 * when it comes near the window, and again when the theme changes. Until then, and where it
 * cannot be drawn, its source stands there, with the reason.
 */
export function Diagram(props: { readonly source: string; readonly code: () => JSX.Element }): JSX.Element {
  const [shown, setShown] = createSignal<Shown>()
  const [failure, setFailure] = createSignal<string>()
  const [isSource, setIsSource] = createSignal(false)
  const [isNear, setIsNear] = createSignal(false)
  const usesDark = createUsesDark()
  let head: HTMLElement | undefined
  let isGone = false

  const replace = (next: Shown | undefined): void => {
    const before = shown()
    setShown(next)
    if (before) URL.revokeObjectURL(before.address)
  }
  const draw = async (source: string, isDark: boolean): Promise<void> => {
    const isWanted = (): boolean => !isGone && source === props.source && isDark === usesDark()
    try {
      const { svg, width, height } = await drawDiagram(source, lookOf(isDark))
      if (!isWanted()) return
      const file = new Blob([svg], { type: 'image/svg+xml' })
      replace({ file, address: URL.createObjectURL(file), width, height })
      setFailure(undefined)
    } catch (error) {
      if (!isWanted()) return
      replace(undefined)
      setFailure(reasonOf(error))
    }
  }
  createEffect(() => {
    if (isNear()) void draw(props.source, usesDark())
  })
  onMount(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setIsNear(true), { rootMargin: nearby })
    if (head) observer.observe(head)
    onCleanup(() => observer.disconnect())
  })
  onCleanup(() => {
    isGone = true
    replace(undefined)
  })
  return (
    <>
      <header ref={(element) => (head = element)}>
        <span class="code-title">{t('diagram')}</span>
        <span class="code-tools">
          <Show when={shown()}>
            {(picture) => (
              <>
                <IconButton
                  icon="file-code"
                  name={t('show_source')}
                  size="small"
                  pressed={isSource()}
                  onClick={() => setIsSource(!isSource())}
                />
                <IconButton icon="download" name={t('save_picture')} size="small" onClick={() => saveBlob('diagram.svg', picture().file)} />
              </>
            )}
          </Show>
          <CopyButton text={() => props.source} label={t('copy_source')} />
        </span>
      </header>
      <Show when={failure()}>
        {(reason) => (
          <p class="diagram-note" role="status">
            <Mark name="warn" />
            <span>{t('not_drawn', { reason: reason() })}</span>
          </p>
        )}
      </Show>
      <Show when={isNear() && !shown() && failure() === undefined}>
        <p class="diagram-note">
          <Mark name="run" />
          {t('drawing')}
        </p>
      </Show>
      <Show when={shown()} fallback={props.code()}>
        {(picture) => (
          <>
            <div class="diagram-picture">
              <img
                src={picture().address}
                width={picture().width}
                height={picture().height}
                alt={t('picture', { kind: diagramKind(props.source) })}
              />
            </div>
            <Show when={isSource()}>{props.code()}</Show>
          </>
        )}
      </Show>
    </>
  )
}

/** Of what a parser says, the line that tells where; what follows it lists the words that it knows. */
const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1).join('').replace(/:$/, '.')

const tokens = { background: 'bg-sunken', surface: 'bg-raised', text: 'text', edge: 'text-3', tint: 'accent-tint', note: 'warn-tint' }

/** Colours as they are computed, since the frame has none of the tokens. */
function lookOf(isDark: boolean): DiagramLook {
  const probe = document.createElement('span')
  document.body.append(probe)
  try {
    const colours = Object.entries(tokens).map(([name, token]) => {
      probe.style.color = `var(--${token})`
      return [name, getComputedStyle(probe).color] as const
    })
    return { isDark, colours: Object.fromEntries(colours) }
  } finally {
    probe.remove()
  }
}
