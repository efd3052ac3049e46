import { hasScreen, isAdmin, Mark } from '@agent-service/sdk/web'
import { type JSX, Match, Show, Switch } from 'solid-js'
import type { Schemas } from '../../api/index.js'
import { t } from './texts.js'

/** Why agents have no browser, or why it does not answer, and who can mend that; nothing while it works. */
export function Trouble(props: { readonly state: Pick<Schemas['BrowserState'], 'available' | 'reason'> }): JSX.Element {
  return (
    <Switch>
      <Match when={!props.state.available}>
        <section class="browser-trouble" role="status">
          <Mark name="off" />
          <div>
            <h2 class="h3">{t('none')}</h2>
            <p>{t('none_text')}</p>
            <p>
              {t(isAdmin() ? 'none_you' : 'none_admin')}{' '}
              <code>
                <bdi>browser.ws_url</bdi>
              </code>
              {', '}
              <code>
                <bdi>SERVICE_BROWSER_WS_URL</bdi>
              </code>
            </p>
            <Show when={isAdmin()}>
              <a href="/admin/settings?section=browser&setting=browser.ws_url">{t('open_setting')}</a>
            </Show>
          </div>
        </section>
      </Match>
      <Match when={props.state.reason}>
        {(reason) => (
          <section class="browser-trouble warn" role="status">
            <Mark name="warn" />
            <div>
              <h2 class="h3">{t('broken')}</h2>
              <p lang="en">
                <bdi>{reason()}</bdi>
              </p>
              <p>{t(isAdmin() ? 'broken_you' : 'broken_admin')}</p>
              <Show when={isAdmin() && hasScreen('/admin/web')}>
                <a href="/admin/web">{t('manage')}</a>
              </Show>
            </div>
          </section>
        )}
      </Match>
    </Switch>
  )
}
