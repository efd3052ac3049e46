import { Badge, Failure, Skeleton, StateMark } from '@agent-service/sdk/web'
import { For, type JSX, Match, Show, Switch } from 'solid-js'
import { api, createQuery, type Schemas } from '../../api/index.js'
import { searchReason } from './reasons.js'
import { SearchTry } from './search-try.js'
import { StateLine } from './state-line.js'
import { t } from './texts.js'

type State = Schemas['SearchState']

/** The provider that searches go to, or why to none; all that could be set up; a query to try. */
export function SearchPart(): JSX.Element {
  const state = createQuery({ key: () => ['search'], read: (signal) => api.get('/api/search', { signal }) })
  return (
    <section class="web-part" aria-labelledby="web-search">
      <h2 id="web-search">{t('search')}</h2>
      <Show when={state.error()}>{(error) => <Failure error={error()} onRetry={() => void state.reload()} />}</Show>
      <Switch>
        <Match when={state.value()}>
          {(found) => (
            <>
              <Summary state={found()} />
              <Providers state={found()} />
              <Show when={found().available}>
                <SearchTry />
              </Show>
            </>
          )}
        </Match>
        <Match when={state.isLoading()}>
          <Skeleton lines={4} />
        </Match>
      </Switch>
    </section>
  )
}

function Summary(props: { readonly state: State }): JSX.Element {
  const reason = () => searchReason(props.state.reason ?? '')
  return (
    <Show
      when={!props.state.available}
      fallback={<StateLine mark="done" title={t('search_with', { provider: props.state.title ?? props.state.provider ?? '' })} />}
    >
      <StateLine mark="warn" title={t('no_search')}>
        <Show when={props.state.reason !== null}>
          <p lang={reason().lang}>{reason().text}</p>
        </Show>
        <p>{t('no_search_todo')}</p>
        <a href="/admin/settings?section=search">{t('open_search_settings')}</a>
      </StateLine>
    </Show>
  )
}

function Providers(props: { readonly state: State }): JSX.Element {
  return (
    <ul class="rows" aria-label={t('providers')}>
      <For each={props.state.providers}>
        {(provider) => {
          const isUsed = (): boolean => props.state.available && props.state.provider === provider.id
          return (
            <li class="web-provider">
              <StateMark mark={provider.available ? 'done' : 'off'}>
                <span class="sr">{t(provider.available ? 'ready' : 'not_ready')}: </span>
              </StateMark>
              <div class="grow">
                <b>
                  <bdi>{provider.title ?? provider.id}</bdi>
                </b>{' '}
                <code class="web-id">
                  <bdi>{provider.id}</bdi>
                </code>
                <Show when={provider.reason}>{(reason) => <p lang={searchReason(reason()).lang}>{searchReason(reason()).text}</p>}</Show>
              </div>
              <Show when={isUsed()}>
                <Badge tone="ok">{t('in_use')}</Badge>
              </Show>
            </li>
          )
        }}
      </For>
    </ul>
  )
}
