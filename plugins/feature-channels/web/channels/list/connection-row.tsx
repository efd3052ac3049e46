import { Badge, Button, Failure, Icon } from '@agent-service/sdk/web'
import { createSignal, type JSX, Show } from 'solid-js'
import type { ChannelApi, Connection } from '../common/channel-api.js'
import { ConnectionState } from '../common/connection-state.js'
import { t } from '../common/texts.js'

/** One connection: where it leads, how it does, and who answers there. */
export function ConnectionRow(props: {
  readonly channels: ChannelApi
  readonly connection: Connection
  readonly kind: string
  readonly agent: string
  readonly onChanged: () => void
}): JSX.Element {
  const [busy, setBusy] = createSignal(false)
  const [failure, setFailure] = createSignal<unknown>()
  const retry = async (): Promise<void> => {
    setFailure(undefined)
    setBusy(true)
    try {
      await props.channels.retry(props.connection.id)
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
    props.onChanged()
  }
  return (
    <div class="channels-row">
      <Icon name="messages" />
      <div class="channels-words">
        <span class="channels-name">
          <a class="key" href={`${props.channels.home}/${props.connection.id}`}>
            <bdi>{props.connection.title}</bdi>
          </a>
          <Badge tone="line">{props.kind}</Badge>
        </span>
        <ConnectionState connection={props.connection} />
        <p class="channels-sub">
          <Show when={!props.channels.isShared}>
            <span>
              {t('answers')} <bdi>{props.agent}</bdi>
            </span>
          </Show>
          <span>{t(`access_${props.connection.access}`)}</span>
        </p>
        <Show when={failure()}>{(error) => <Failure error={error()} />}</Show>
      </div>
      <Show when={props.connection.state === 'retrying' || props.connection.state === 'failed'}>
        <Button size="small" busy={busy()} label={t('retry_title', { title: props.connection.title })} onClick={() => void retry()}>
          {t('retry')}
        </Button>
      </Show>
    </div>
  )
}
