import { createEffect, createMemo, createSignal, Index, type JSX, Show } from 'solid-js'
import { Button } from './button.js'
import { CopyButton } from './copy-button.js'
import { t } from './texts.js'

/** Lines that are laid out together, and only when they are seen. */
const linesInPart = 200

/** Lines that grow at the end. It follows the end until the person scrolls up. */
export function LogTail(props: { readonly label: string; readonly lines: readonly string[] }): JSX.Element {
  const [following, setFollowing] = createSignal(true)
  const parts = createMemo(() => partsOf(props.lines))
  let box: HTMLPreElement | undefined
  const toEnd = (): void => {
    if (box) box.scrollTop = box.scrollHeight
  }
  createEffect(() => {
    if (props.lines.length >= 0 && following()) queueMicrotask(toEnd)
  })
  return (
    <section class="log" aria-label={props.label}>
      <header>
        <span>{props.label}</span>
        <Show when={!following()}>
          <Button
            kind="quiet"
            size="small"
            icon="chevron-down"
            onClick={() => {
              setFollowing(true)
              toEnd()
            }}
          >
            {t('follow')}
          </Button>
        </Show>
        <CopyButton text={() => props.lines.join('\n')} />
      </header>
      <pre
        class="foreign"
        translate="no"
        tabindex="0"
        ref={(element) => {
          box = element
        }}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) =>
          setFollowing(scrollHeight - scrollTop - clientHeight < 24)
        }
      >
        <Index each={parts()}>
          {(part) => (
            <span class="log-part" style={{ '--lines': part().length }}>
              {part().join('\n')}
            </span>
          )}
        </Index>
      </pre>
    </section>
  )
}

const partsOf = (lines: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(lines.length / linesInPart) }, (_, part) => lines.slice(part * linesInPart, (part + 1) * linesInPart))
