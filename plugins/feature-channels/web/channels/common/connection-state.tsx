import { language, type MarkName, momentText, StateMark, whenText } from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import type { Connection } from './channel-api.js'
import { Countdown } from './countdown.js'
import { t } from './texts.js'

const marks: Readonly<Record<Connection['state'], MarkName>> = {
  ...{ off: 'pause', connecting: 'run', connected: 'done', retrying: 'warn', failed: 'fail', unavailable: 'warn' },
}

/** How a connection does: its state, who it is at the vendor, when it is tried again, and what is to be done. */
export function ConnectionState(props: { readonly connection: Connection; readonly isBusy?: boolean }): JSX.Element {
  const isRetrying = (): boolean => props.connection.state === 'retrying'
  const failure = () => (isRetrying() || props.connection.state === 'failed' ? props.connection.failure : null)
  return (
    <>
      <p class="channels-sub">
        <Show
          when={props.isBusy}
          fallback={<StateMark mark={marks[props.connection.state]}>{t(`state_${props.connection.state}`)}</StateMark>}
        >
          <StateMark mark="run">{t('testing')}</StateMark>
        </Show>
        <Show when={isRetrying() && props.connection.next_attempt_at}>{(at) => <Countdown at={at()} />}</Show>
        <Show when={isRetrying() && props.connection.failures > 0}>
          <span>{t('attempts', { count: props.connection.failures })}</span>
        </Show>
        <Show when={props.connection.state === 'connected' && props.connection.connected_at}>
          {(at) => <span title={momentText(at())}>{t('since', { when: whenText(at()) })}</span>}
        </Show>
        <Show when={props.connection.account}>
          {(account) => (
            <span>
              {t('as')} <bdi>{account().name}</bdi>
            </span>
          )}
        </Show>
      </p>
      <Show when={failure()}>
        {(found) => (
          <p class="channels-why">
            <span class="danger">{t('last_error', { when: whenText(found().at) })}</span>{' '}
            <Reason code={found().code} message={found().message} />
          </p>
        )}
      </Show>
      <Show when={adviceOf(props.connection)}>{(key) => <p class="channels-why">{t(key())}</p>}</Show>
    </>
  )
}

/** The service says what exactly is wrong, in English; other languages have the kind of error before it. */
export function Reason(props: { readonly code: string; readonly message: string }): JSX.Element {
  return (
    <>
      <Show when={language() !== 'en'}>{t(whys[props.code] ?? 'why_unknown')} </Show>
      <bdi lang="en">{props.message}</bdi>
    </>
  )
}

const whys: Readonly<Record<string, Parameters<typeof t>[0]>> = {
  channel_absent: 'why_absent',
  channel_connection_invalid: 'why_invalid',
  channel_outcome_unknown: 'why_outcome',
  channel_rejected: 'why_rejected',
  channel_throttled: 'why_throttled',
  channel_unauthorized: 'why_unauthorized',
  channel_unavailable: 'why_unavailable',
}

/** Failures that other credentials or settings mend. */
const ofCredentials = new Set(['channel_unauthorized', 'channel_connection_invalid'])

/** What a person can do about the state. */
function adviceOf({ state, failure }: Connection): Parameters<typeof t>[0] | undefined {
  if (state === 'unavailable') return 'todo_absent'
  if (state === 'off') return 'todo_off'
  if (state === 'retrying') return 'todo_wait'
  if (state !== 'failed') return undefined
  return failure && ofCredentials.has(failure.code) ? 'todo_credentials' : 'todo_given_up'
}
