import { Button, createAction, Failure, Skeleton, whileVisible } from '@agent-service/sdk/web'
import { createSignal, For, type JSX, Match, Show, Switch } from 'solid-js'
import { api, createQuery, invalidate, type Schemas } from '../../api/index.js'
import { StateLine } from './state-line.js'
import { t } from './texts.js'

type Outcome = Schemas['BrowserTest']
type Usage = Schemas['BrowserUsage']

const everyMs = 10_000

/** Whether there is a browser service and what is known of it, the sessions of all users, and a test. */
export function BrowserPart(): JSX.Element {
  const usage = createQuery({ key: () => ['browser'], read: (signal) => api.get('/api/admin/browser', { signal }) })
  whileVisible(everyMs, () => void usage.reload())
  return (
    <section class="web-part" aria-labelledby="web-browser">
      <h2 id="web-browser">{t('browser')}</h2>
      <Show when={usage.error()}>{(error) => <Failure error={error()} onRetry={() => void usage.reload()} />}</Show>
      <Switch>
        <Match when={usage.value()}>
          {(found) => (
            <>
              <Summary usage={found()} />
              <Show when={found().available}>
                <p class="web-note num">{t('sessions', { count: found().sessions, users: found().users.length })}</p>
                <BrowserTry />
              </Show>
            </>
          )}
        </Match>
        <Match when={usage.isLoading()}>
          <Skeleton lines={3} />
        </Match>
      </Switch>
    </section>
  )
}

function Summary(props: { readonly usage: Usage }): JSX.Element {
  return (
    <Switch fallback={<StateLine mark="done" title={t('browser_set')} />}>
      <Match when={!props.usage.available}>
        <StateLine mark="warn" title={t('no_browser')}>
          <p>
            {t('no_browser_todo')}{' '}
            <code>
              <bdi>browser.ws_url</bdi>
            </code>
            {', '}
            <code>
              <bdi>SERVICE_BROWSER_WS_URL</bdi>
            </code>
          </p>
          <a href="/admin/settings?section=browser&setting=browser.ws_url">{t('open_browser_settings')}</a>
        </StateLine>
      </Match>
      <Match when={props.usage.reason}>
        {(reason) => (
          <StateLine mark="fail" title={t('browser_broken')}>
            <p lang="en">{reason()}</p>
          </StateLine>
        )}
      </Match>
    </Switch>
  )
}

/** Connects once, and shows what was found. */
function BrowserTry(): JSX.Element {
  const [outcome, setOutcome] = createSignal<Outcome>()
  const test = createAction(async () => {
    try {
      setOutcome(await api.post('/api/admin/browser/test'))
      invalidate(['browser'])
    } catch (error) {
      setOutcome(undefined)
      throw error
    }
  })
  return (
    <div class="web-try">
      <Button icon="refresh" busy={test.busy()} onClick={() => void test.run()}>
        {test.busy() ? t('testing') : t('test_browser')}
      </Button>
      <Show when={test.failure()}>{(error) => <Failure error={error()} />}</Show>
      <Show when={outcome()}>{(found) => <Found outcome={found()} />}</Show>
    </div>
  )
}

function Found(props: { readonly outcome: Outcome }): JSX.Element {
  const load = (): string | undefined => {
    const { running, queued, accepts } = props.outcome.management
    if (running === null) return undefined
    return t(accepts === false ? 'load_full' : 'load', { running, queued: queued ?? 0 })
  }
  return (
    <div class="web-outcome">
      <StateLine mark={props.outcome.ok ? 'done' : 'fail'} title={props.outcome.ok ? t('browser_answers') : t('browser_silent')}>
        <p lang="en">
          <bdi>{props.outcome.text}</bdi>
        </p>
        <Show when={load()}>{(text) => <p class="num">{text()}</p>}</Show>
        <For each={props.outcome.warnings}>
          {(warning) => (
            <p>
              <b>{t('advice')}</b> <span lang="en">{warning}</span>
            </p>
          )}
        </For>
      </StateLine>
    </div>
  )
}
