import { BannerBar, isAdmin, navigate, signInOptions } from '@agent-service/sdk/web'
import { type JSX, Match, Switch } from 'solid-js'
import { api, createQuery } from '../../api/index.js'
import { t } from './texts.js'

type State = 'complete' | 'no_provider' | 'no_model' | 'no_agent'

/** What is missing before an agent can answer: administrators get the way there, others the truth. The demo misses nothing. */
export function Missing(): JSX.Element {
  const state = createQuery({
    key: () => (signInOptions()?.demo ? undefined : ['missing', { admin: isAdmin() }]),
    read: (signal) => readState(isAdmin(), signal),
  })
  const action = { label: t('set_up'), run: () => void navigate('/set-up') }
  return (
    <div class="home-missing">
      <Switch>
        <Match when={state.value() === 'no_provider'}>
          <BannerBar banner={{ id: 'missing', text: t('missing_provider'), action }} />
        </Match>
        <Match when={state.value() === 'no_model' && isAdmin()}>
          <BannerBar banner={{ id: 'missing', text: t('missing_model'), action }} />
        </Match>
        <Match when={state.value() === 'no_model'}>
          <BannerBar banner={{ id: 'missing', text: t('no_model_yet') }} />
        </Match>
        <Match when={state.value() === 'no_agent'}>
          <BannerBar banner={{ id: 'missing', mark: 'next', text: t('missing_agent'), action }} />
        </Match>
      </Switch>
    </div>
  )
}

async function readState(forAdmin: boolean, signal: AbortSignal): Promise<State> {
  const { items } = await api.get('/api/models', { query: { limit: 1 }, signal })
  if (!forAdmin) return items.length === 0 ? 'no_model' : 'complete'
  const { steps } = await api.get('/api/admin/set-up', { signal })
  if (items.length === 0) return steps['set-up-provider'] === 'done' ? 'no_model' : 'no_provider'
  return steps['set-up-models'] === 'done' && steps['set-up-agent'] === 'open' ? 'no_agent' : 'complete'
}
