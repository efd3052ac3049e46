import { BannerBar } from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import { t } from './texts.js'

/**
 * Before a password is sent: over plain http, except on the machine itself, others can read it, and the
 * browser keeps no session. The form stays, since a proxy may have made the cookie one for plain http.
 */
export function Unencrypted(): JSX.Element {
  return (
    <Show when={!isSecureContext}>
      <BannerBar banner={{ id: 'unencrypted', tone: 'danger', text: t('unencrypted', { port: location.port || '80' }) }} />
    </Show>
  )
}
