import { Button, ErrorWords, Mark, whenConfirmed } from '@agent-service/sdk/web'
import { createSignal, type JSX, Match, Show, Switch } from 'solid-js'
import { api, type RequestOf, type Schemas } from '../api/index.js'
import { t } from './texts.js'

export type ConnectionTest = Schemas['ConnectionTest']
export type TestRequest = RequestOf<'post', '/api/admin/connections/test'>['body']
export type FailureKind = NonNullable<ConnectionTest['failure']>

/** What a failed test means, and what to do; the provider's own words stand beside it. */
export const failureText = (kind: FailureKind): string => {
  switch (kind) {
    case 'authentication':
    case 'transport':
    case 'timeout':
    case 'wrong_address':
    case 'no_models':
    case 'model_not_found':
    case 'quota_exceeded':
    case 'rate_limited':
    case 'overloaded':
    case 'key_missing':
    case 'invalid_response':
      return t(`failure_${kind}`)
    default:
      return t('failure_other')
  }
}

/**
 * A test that runs on request; a saved key goes to another address only after a confirmation. Its
 * result stays until what it was about changes.
 */
export interface LiveTest {
  readonly result: () => ConnectionTest | undefined
  readonly error: () => unknown
  readonly isRunning: () => boolean
  run(request: TestRequest): Promise<boolean>
  forget(): void
}

export function createLiveTest(): LiveTest {
  const [result, setResult] = createSignal<ConnectionTest>()
  const [error, setError] = createSignal<unknown>()
  const [isRunning, setRunning] = createSignal(false)
  let latest = 0
  const forget = (): void => {
    latest += 1
    setResult(undefined)
    setError(undefined)
    setRunning(false)
  }
  return {
    result,
    error,
    isRunning,
    forget,
    async run(request) {
      forget()
      const own = latest
      setRunning(true)
      try {
        let found: ConnectionTest | undefined
        await whenConfirmed(t('confirm_secret'), async () => {
          found = await api.post('/api/admin/connections/test', { body: request })
        })
        if (own !== latest || !found) return false
        setResult(found)
        return found.ok
      } catch (cause) {
        if (own === latest) setError(cause)
        return false
      } finally {
        if (own === latest) setRunning(false)
      }
    },
  }
}

/** The state of a test in words. */
export function LiveTestResult(props: { readonly test: LiveTest; readonly onAgain?: () => void }): JSX.Element {
  return (
    <div class="providers-test" role="status">
      <Switch>
        <Match when={props.test.isRunning()}>
          <Mark name="run" />
          <span>{t('testing')}</span>
        </Match>
        <Match when={props.test.error()}>
          {(error) => (
            <>
              <Mark name="fail" />
              <span>
                <ErrorWords error={error()} />
              </span>
            </>
          )}
        </Match>
        <Match when={props.test.result()}>{(result) => <TestOutcome result={result()} />}</Match>
      </Switch>
      <Show when={props.onAgain && (props.test.result() || props.test.error())}>
        <Button size="small" kind="quiet" icon="refresh" onClick={() => props.onAgain?.()}>
          {t('test_again')}
        </Button>
      </Show>
    </div>
  )
}

/** Whether a model answered. */
export function TestOutcome(props: {
  readonly result: Pick<ConnectionTest, 'ok' | 'failure' | 'message' | 'model' | 'tools' | 'took_ms'>
}): JSX.Element {
  return (
    <Show
      when={props.result.failure}
      fallback={
        <>
          <Mark name={props.result.tools === false ? 'warn' : 'done'} />
          <span>
            {t('answered', { model: props.result.model ?? '' })} <span class="meta">{t('took', { ms: props.result.took_ms })}</span>
            <Show when={props.result.tools === false}>{` ${t('takes_no_tools')}`}</Show>
          </span>
        </>
      }
    >
      {(kind) => (
        <>
          <Mark name="fail" />
          <span class="providers-why">
            <b>{failureText(kind())}</b>
            <Show when={props.result.message}>{(message) => <span class="t2 small">{message()}</span>}</Show>
          </span>
        </>
      )}
    </Show>
  )
}
