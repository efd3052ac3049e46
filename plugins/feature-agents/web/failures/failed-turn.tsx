import './failures.css'
import { Button, ButtonLink, Icon, isAdmin, Mark, commonText as ui } from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import type { Schemas } from '../api/index.js'
import { failureWords, isAboutConnection } from './failure-words.js'
import { t } from './texts.js'
import type { TurnEnd } from './turn-end.js'

/** What a turn says of its end, in its place: the reason, how to go on, and a way to try again. */
export function FailedTurn(props: {
  readonly end: TurnEnd
  readonly endedAt: string | null
  /** Whether later turns follow in a chat with branches: another answer begins one without them. */
  readonly hasLater: boolean
  readonly busy: boolean
  readonly disabled: boolean
  readonly onRetry: (() => void) | undefined
}): JSX.Element {
  const failure = () => (props.end.kind === 'failed' ? props.end.failure : undefined)
  const words = () => {
    const found = failure()
    if (found) return failureWords(found, props.endedAt)
    return props.end.kind === 'stopped' ? { title: t('stopped_early'), help: '' } : { title: t('no_answer'), help: t('no_answer_help') }
  }
  return (
    <div class="step chat-failed">
      <Mark name={props.end.kind === 'stopped' ? 'off' : 'fail'} />
      <p>{words().title}</p>
      <Show when={words().help}>{(help) => <p class="t2 small">{help()}</p>}</Show>
      <div class="row chat-failed-acts">
        <Show when={props.onRetry}>
          {(retry) => (
            <Button size="small" icon="refresh" busy={props.busy} disabled={props.disabled} onClick={() => retry()()}>
              {ui('retry')}
            </Button>
          )}
        </Show>
        <Show when={isAdmin() ? failure() : undefined}>{(found) => <ConnectionLink failure={found()} />}</Show>
      </div>
      <Show when={props.hasLater}>
        <p class="t2 small">{t('again_branches')}</p>
      </Show>
      <Show when={failure()}>{(found) => <FailureDetails failure={found()} />}</Show>
    </div>
  )
}

/** The way to where an administrator can change something. */
function ConnectionLink(props: { readonly failure: Schemas['Failure'] }): JSX.Element {
  const name = (): string | undefined => props.failure.provider
  const address = (): string => {
    const handle = name()
    return handle === undefined ? '/admin/providers' : `/admin/providers?connection=${encodeURIComponent(handle)}`
  }
  return (
    <Show when={isAboutConnection(props.failure)}>
      <ButtonLink size="small" kind="quiet" icon="server" href={address()}>
        {name() === undefined ? t('show_providers') : t('show_connection', { name: name() ?? '' })}
      </ButtonLink>
    </Show>
  )
}

/** What is known for those who look for the cause; the service removed keys from it. */
function FailureDetails(props: { readonly failure: Schemas['Failure'] }): JSX.Element {
  return (
    <details class="fold">
      <summary>
        {t('details')}
        <Icon name="chevron-right" flip />
      </summary>
      <dl class="small chat-failed-details">
        <Fact name={t('connection')} value={props.failure.provider} />
        <Fact name={t('model')} value={props.failure.model} />
        <Fact name={t('status')} value={props.failure.http_status === undefined ? undefined : `HTTP ${props.failure.http_status}`} />
        <Fact name={t('code')} value={codeOf(props.failure)} />
        <Fact name={t(props.failure.provider === undefined ? 'message' : 'words')} value={props.failure.reason ?? props.failure.message} />
      </dl>
    </details>
  )
}

const codeOf = ({ code, provider_failure: kind }: Schemas['Failure']): string =>
  kind === undefined || kind === code ? code : `${code}, ${kind}`

function Fact(props: { readonly name: string; readonly value: string | undefined }): JSX.Element {
  return (
    <Show when={props.value}>
      {(value) => (
        <div>
          <dt>{props.name}</dt>
          <dd class="foreign" translate="no">
            {value()}
          </dd>
        </div>
      )}
    </Show>
  )
}
