import { Button, durationText, Failure, TextField } from '@agent-service/sdk/web'
import { createSignal, For, type JSX, Match, Show, Switch } from 'solid-js'
import { api, type Schemas } from '../../api/index.js'
import { StateLine } from './state-line.js'
import { t } from './texts.js'

type Outcome = Schemas['SearchTest']

/** Searches once, at once, and shows what the provider said. */
export function SearchTry(): JSX.Element {
  const [query, setQuery] = createSignal('')
  const [busy, setBusy] = createSignal(false)
  const [outcome, setOutcome] = createSignal<Outcome>()
  const [failure, setFailure] = createSignal<unknown>()
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    if (busy()) return
    setBusy(true)
    setFailure(undefined)
    const text = query().trim()
    try {
      setOutcome(await api.post('/api/admin/search/test', { body: text === '' ? {} : { query: text } }))
    } catch (error) {
      setOutcome(undefined)
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form class="web-try" novalidate onSubmit={(event) => void submit(event)}>
      <TextField label={t('query')} help={t('query_help')} type="search" maxLength={400} value={query()} onInput={setQuery} />
      <Button type="submit" icon="search" busy={busy()}>
        {busy() ? t('searching') : t('try_search')}
      </Button>
      <Show when={failure()}>{(error) => <Failure error={error()} />}</Show>
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
