import { BannerBar, errorText } from '@agent-service/sdk/web'
import { CookieRefusedError } from '@agent-service/sdk/web/host'
import { type JSX, Show } from 'solid-js'
import { t } from './texts.js'

/** Why signing in or up failed; the words of the form stay. */
export function Problem(props: { readonly error: unknown }): JSX.Element {
  const text = (): string => (props.error instanceof CookieRefusedError ? t('cookies') : errorText(props.error))
  return (
    <Show when={props.error !== undefined}>
      <BannerBar banner={{ id: 'problem', tone: 'danger', text: text() }} />
    </Show>
  )
}
