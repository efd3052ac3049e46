import { dayTimeText, language, type MarkName, momentText, StateMark, untilText } from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import type { Schemas } from '../api/index.js'
import { t } from './texts.js'

export type Vault = Schemas['Vault']

const marks: Readonly<Record<Vault['state'], MarkName>> = { new: 'next', ready: 'done', failed: 'fail', unavailable: 'warn' }

/** How a connection does: its state, what it has, its last success, its last error in words, and its next try. */
export function VaultState(props: { readonly vault: Vault; readonly isBusy?: boolean }): JSX.Element {
  const moment = (text: (when: string) => string, at: string): JSX.Element => <span title={momentText(at)}>{text(dayTimeText(at))}</span>
  return (
    <>
      <p class="vaults-sub">
        <Show when={props.isBusy} fallback={<StateMark mark={marks[props.vault.state]}>{t(`state_${props.vault.state}`)}</StateMark>}>
          <StateMark mark="run">{t('syncing')}</StateMark>
        </Show>
        <span>{t('items_of', { count: props.vault.items })}</span>
        <Show when={props.vault.synced_at} fallback={<span>{t('never_listed')}</span>}>
          {(at) => moment((when) => t('last_success', { when }), at())}
        </Show>
        <Show when={props.vault.state !== 'unavailable'}>
          {moment(
            () => t(props.vault.failure ? 'next_again' : 'next_sync', { when: nextText(props.vault.next_sync_at) }),
            props.vault.next_sync_at,
          )}
        </Show>
        <Show when={props.vault.account}>
          {(account) => (
            <span>
              {t('account')} <bdi>{account()}</bdi>
            </span>
          )}
        </Show>
        <Show when={props.vault.expires_at}>{(at) => moment((when) => t('expires', { when }), at())}</Show>
      </p>
      <Show when={props.vault.state === 'unavailable' || props.vault.failure}>
        <p class="vaults-why">
          <Show when={props.vault.state !== 'unavailable' && props.vault.failure} fallback={t('why_plugin')}>
            {(failure) => (
              <>
                <span class="danger">{t('last_error', { when: dayTimeText(failure().at) })}</span>{' '}
                <Reason code={failure().code} message={failure().message} />
              </>
            )}
          </Show>
        </p>
      </Show>
      <Show when={!props.vault.items_complete}>
        <p class="vaults-why">{t('items_incomplete')}</p>
      </Show>
    </>
  )
}

/** The service says what exactly is wrong, in English; other languages have the kind of error before it. */
function Reason(props: { readonly code: string; readonly message: string }): JSX.Element {
  return (
    <>
      <Show when={language() !== 'en'}>{t(whys[props.code] ?? 'why_unknown')} </Show>
      <bdi lang="en">{props.message}</bdi>
    </>
  )
}

const whys: Readonly<Record<string, Parameters<typeof t>[0]>> = {
  vault_connection_invalid: 'why_invalid',
  vault_content_invalid: 'why_unreadable',
  vault_forbidden: 'why_forbidden',
  vault_rate_limited: 'why_rate',
  vault_sealed: 'why_sealed',
  vault_unauthorized: 'why_unauthorized',
  vault_unavailable: 'why_unavailable',
}

const nextText = (at: string): string => (Date.parse(at) - Date.now() < 60_000 ? t('next_soon') : untilText(at))
