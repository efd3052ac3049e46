import { Button, createAction, durationText, Failure, TextField } from '@agent-service/sdk/web'
import { createSignal, For, type JSX, Match, Show, Switch } from 'solid-js'
import { api, type Schemas } from '../../api/index.js'
import { StateLine } from './state-line.js'
import { t } from './texts.js'

type Outcome = Schemas['SearchTest']

/** Searches once, at once, and shows what the provider said. */
export function SearchTry(): JSX.Element {
  const [query, setQuery] = createSignal('')
  const [outcome, setOutcome] = createSignal<Outcome>()
  const search = createAction(async (text: string) => {
    try {
      setOutcome(await api.post('/api/admin/search/test', { body: text === '' ? {} : { query: text } }))
    } catch (error) {
      setOutcome(undefined)
      throw error
    }
  })
  return (
    <form
      class="web-try"
      novalidate
      onSubmit={(event) => {
        event.preventDefault()
        void search.run(query().trim())
      }}
    >
      <TextField label={t('query')} help={t('query_help')} type="search" maxLength={400} value={query()} onInput={setQuery} />
      <Button type="submit" icon="search" busy={search.busy()}>
        {search.busy() ? t('searching') : t('try_search')}
      </Button>
      <Show when={search.failure()}>{(error) => <Failure error={error()} />}</Show>
      <Show when={outcome()}>{(found) => <Found outcome={found()} />}</Show>
    </form>
  )
}

function Found(props: { readonly outcome: Outcome }): JSX.Element {
  return (
    <div class="web-outcome">
      <Switch>
        <Match when={!props.outcome.ok}>
          <StateLine mark="fail" title={t('search_failed')}>
            <p lang="en">{props.outcome.error}</p>
          </StateLine>
        </Match>
        <Match when={props.outcome.ok}>
          <StateLine
            mark="done"
            title={t('search_found', { count: props.outcome.results.length, time: durationText(props.outcome.took_ms) })}
          />
          <ol class="rows" aria-label={t('results')}>
            <For each={props.outcome.results}>
              {(result) => (
                <li class="web-result foreign">
                  <b>{result.title || result.url}</b>
                  <p class="web-address">
                    <bdi dir="ltr">{result.url}</bdi>
                  </p>
                  <p>{result.snippet}</p>
                </li>
              )}
            </For>
          </ol>
        </Match>
      </Switch>
    </div>
  )
}
