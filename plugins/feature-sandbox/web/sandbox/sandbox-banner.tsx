import './sandbox-banner.css'
import { BannerBar } from '@agent-service/sdk/web'
import { type JSX, Match, Switch } from 'solid-js'
import { api, createQuery } from '../api/index.js'
import { t } from './texts.js'

/** Warns where the code of agents is not confined; nothing where it is. */
export function SandboxBanner(): JSX.Element {
  const status = createQuery({ key: () => ['status'], read: (signal) => api.get('/api/sandbox', { signal }) })
  return (
    <Switch>
      <Match when={status.value()?.disabled}>
        <div class="sandbox-banner">
          <BannerBar banner={{ id: 'sandbox-disabled', tone: 'danger', text: t('disabled') }} />
        </div>
      </Match>
      <Match when={status.value()?.confines === false}>
        <div class="sandbox-banner">
          <BannerBar banner={{ id: 'sandbox-none', text: t('nothing_runs') }} />
        </div>
      </Match>
    </Switch>
  )
}
