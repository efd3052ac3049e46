import { Button, Mark, navigate } from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import type { Channel, ChannelApi, Connection } from '../common/channel-api.js'
import { t } from '../common/texts.js'
import { Progress } from '../connect/progress.js'
import { needsAddress, SetUpSteps } from '../connect/set-up-steps.js'

/** What is left to do after a connection was made, until the first message is answered. */
export function FirstSteps(props: {
  readonly channels: ChannelApi
  readonly connection: Connection
  readonly kind: Channel | undefined
  /** How many people ask to be let in. */
  readonly waiting: number
}): JSX.Element {
  const isConnected = (): boolean => props.connection.state === 'connected'
  const addressed = (): Channel | undefined =>
    props.connection.webhook_url !== null && props.kind?.set_up.some(needsAddress) ? props.kind : undefined
  return (
    <section class="channels-first" aria-label={t('first')}>
      <Progress at={2} />
      <Show when={addressed()} keyed>
        {(kind) => <SetUpSteps kind={kind} address={props.connection.webhook_url} onlyWithAddress />}
      </Show>
      <ol class="channels-todo">
        <li>
          <Mark name={isConnected() ? 'done' : props.connection.state === 'failed' ? 'fail' : 'next'} />
          <span>{t(isConnected() ? 'first_connected' : 'first_connect')}</span>
        </li>
        <li>
          <Mark name={props.waiting > 0 ? 'done' : isConnected() ? 'next' : 'off'} />
          <span>
            <Show when={props.connection.account} fallback={t('first_write')}>
              {(account) => (
                <>
                  {t('first_write_to')} <bdi>{account().name}</bdi>
                </>
              )}
            </Show>
          </span>
        </li>
        <li>
          <Mark name={props.waiting > 0 ? 'wait' : 'off'} />
          <span>{t(props.channels.isShared ? 'first_claim' : `first_${props.connection.access}`)}</span>
        </li>
      </ol>
      <Button size="small" onClick={() => void navigate(`${props.channels.home}/${props.connection.id}`, { replace: true })}>
        {t('first_done')}
      </Button>
    </section>
  )
}
