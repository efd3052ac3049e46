import type { JSX } from 'solid-js'
import { Show } from 'solid-js'
import { CopyButton } from '../../ui/copy-button.js'
import { t } from './texts.js'

/** Code between fences, with its language and Copy. While it is open, its source grows at the end. */
export function CodeBlock(props: { readonly source: string; readonly language: string | undefined; readonly open: boolean }): JSX.Element {
  return (
    <figure class="code">
      <header>
        <span>{props.language ?? t('code')}</span>
        <CopyButton text={() => props.source} label={t('copy_code')} />
      </header>
      <pre tabindex="0">
        <code class={props.language && `language-${props.language}`} translate="no">
          {props.source}
        </code>
        <Show when={props.open}>
          <span class="caret" />
        </Show>
      </pre>
    </figure>
  )
}
