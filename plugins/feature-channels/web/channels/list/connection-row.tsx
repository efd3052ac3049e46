import { Badge, Button, createAction, Failure, Icon } from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import type { ChannelApi, Connection } from '../common/channel-api.js'
import { readAgain } from '../common/channel-queries.js'
import { ConnectionState } from '../common/connection-state.js'
import { t } from '../common/texts.js'

/** One connection: where it leads, how it does, and who answers there. */
export function ConnectionRow(props: {
  readonly channels: ChannelApi
  readonly connection: Connection
  readonly kind: string
  readonly agent: string
}): JSX.Element {
  const retry = createAction(() => props.channels.retry(props.connection.id).finally(() => readAgain(props.connection.id)))
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
        <Show when={retry.failure()}>{(error) => <Failure error={error()} />}</Show>
      </div>
      <Show when={props.connection.state === 'retrying' || props.connection.state === 'failed'}>
        <Button
          size="small"
          busy={retry.busy()}
          label={t('retry_title', { title: props.connection.title })}
          onClick={() => void retry.run()}
        >
          {t('retry')}
        </Button>
      </Show>
    </div>
  )
}
