import { createEffect, createSignal, type JSX, Show } from 'solid-js'
import { Button } from './button.js'
import { CopyButton } from './copy-button.js'
import { t } from './texts.js'

/** Lines that grow at the end. It follows the end until the person scrolls up. */
export function LogTail(props: { readonly label: string; readonly lines: readonly string[] }): JSX.Element {
  const [following, setFollowing] = createSignal(true)
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
        {props.lines.join('\n')}
      </pre>
    </section>
  )
}
