import { Icon } from '@agent-service/sdk/web'
import { createEffect, createSignal, type JSX } from 'solid-js'
import { t } from './texts.js'

/** One line that opens to what the model thought. */
export function ReasoningFold(props: { readonly text: string; readonly open: boolean }): JSX.Element {
  const began = Date.now()
  const [took, setTook] = createSignal<number>()
  const wasOpen = props.open
  createEffect(() => {
    if (wasOpen && !props.open && took() === undefined) setTook(Date.now() - began)
  })
  return (
    <details class="fold">
      <summary>
        {props.open
          ? t('thinking')
          : took() === undefined
            ? t('thoughts')
            : t('thought_for', { seconds: Math.max(1, Math.round((took() ?? 0) / 1000)) })}
        <Icon name="chevron-right" flip />
      </summary>
      <div class="chat-thoughts foreign">{props.text}</div>
    </details>
  )
}
