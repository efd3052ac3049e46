import { agentName, Button, Failure } from '@agent-service/sdk/web'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { api, createQuery } from '../../api/index.js'
import type { Channel, ChannelApi, Connection } from '../common/channel-api.js'
import { createAgents, readAgain } from '../common/channel-queries.js'
import { t } from '../common/texts.js'
import { ChangeDialog } from './change-dialog.js'
import { RetryDialog, retryNames, retryText } from './retry-dialog.js'

/** How a connection is set up: who answers whom, and how it is tried again. */
export function SettingsTab(props: {
  readonly channels: ChannelApi
  readonly connection: Connection
  readonly kind: Channel | undefined
}): JSX.Element {
  const defaults = createQuery({ key: () => ['retry'], read: (signal) => api.get('/api/channels/retry', { signal }), follow: false })
  const agents = createAgents(props.channels)
  const [dialog, setDialog] = createSignal<'choices' | 'retry'>()
  const agent = (): string => {
    const { agent_id: id } = props.connection
    return id === null ? t('agent_first') : agentName(agents.value()?.find((each) => each.id === id)?.name ?? t('agent_gone'))
  }
  const done = (): void => {
    setDialog(undefined)
    readAgain(props.connection.id)
  }
  return (
    <>
      <div class="channels-line">
        <h2 class="h3">{t('choices')}</h2>
        <Button size="small" icon="pencil" label={t('change_choices')} onClick={() => setDialog('choices')}>
          {t('change')}
        </Button>
      </div>
      <Show when={agents.error()}>{(error) => <Failure error={error()} onRetry={() => void agents.reload()} />}</Show>
      <dl class="channels-facts">
        <Show when={!props.channels.isShared}>
          <Fact name={t('agent')}>
            <bdi>{agent()}</bdi>
          </Fact>
        </Show>
        <Fact name={t('access')} help={t(`access_help_${props.connection.access}`)}>
          {t(`access_${props.connection.access}`)}
        </Fact>
        <Show when={!props.channels.isShared}>
          <Fact name={t('guest_tools')} help={t('guest_tools_fact')}>
            {props.connection.guest_tools.length === 0 ? (
              t('guest_tools_none')
            ) : (
              <bdi class="mono">{props.connection.guest_tools.join(', ')}</bdi>
            )}
          </Fact>
        </Show>
        <Show when={props.kind?.supports['groups'] ?? true}>
          <Fact name={t('in_groups')}>{t(props.connection.mention_required ? 'mention_yes' : 'mention_no')}</Fact>
        </Show>
        <Fact name={t('of_bots')}>{t(props.connection.answer_bots ? 'bots_yes' : 'bots_no')}</Fact>
      </dl>
      <div class="channels-line channels-head">
        <h2 class="h3">{t('retrying')}</h2>
        <Button size="small" icon="pencil" label={t('change_retry')} disabled={!defaults.value()} onClick={() => setDialog('retry')}>
          {t('change')}
        </Button>
      </div>
      <p class="channels-note">{t('retry_help')}</p>
      <Show when={defaults.error()}>{(error) => <Failure error={error()} onRetry={() => void defaults.reload()} />}</Show>
      <Show when={defaults.value()}>
        {(service) => (
          <dl class="channels-facts">
            <For each={retryNames}>
              {(name) => {
                const own = () => props.connection.retry?.[name]
                return (
                  <Fact
                    name={t(name)}
                    help={own() === undefined ? t('is_default') : t('default_is', { value: retryText(name, service()[name]) })}
                  >
                    {retryText(name, own() ?? service()[name])}
                  </Fact>
                )
              }}
            </For>
          </dl>
        )}
      </Show>
      <Show when={dialog() === 'choices'}>
        <ChangeDialog {...props} onClose={() => setDialog(undefined)} onDone={done} />
      </Show>
      <Show when={dialog() === 'retry' && defaults.value()} keyed>
        {(service) => (
          <RetryDialog
            channels={props.channels}
            connection={props.connection}
            service={service}
            onClose={() => setDialog(undefined)}
            onDone={done}
          />
        )}
      </Show>
    </>
  )
}

const Fact = (props: { readonly name: string; readonly help?: string; readonly children: JSX.Element }): JSX.Element => (
  <div>
    <dt>{props.name}</dt>
    <dd>
      <span>{props.children}</span>
      <Show when={props.help}>{<span class="help">{props.help}</span>}</Show>
    </dd>
  </div>
)
