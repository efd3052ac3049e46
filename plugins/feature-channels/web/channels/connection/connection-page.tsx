import {
  announce,
  currentQuery,
  Failure,
  isProblem,
  lazyPart,
  Page,
  type Query,
  Skeleton,
  Tabs,
  usePageTitle,
} from '@agent-service/sdk/web'
import { createEffect, createMemo, createSignal, type JSX, Match, on, onCleanup, Show, Switch } from 'solid-js'
import { createQuery, onEvent } from '../../api/index.js'
import type { ChannelApi, Connection, Sender } from '../common/channel-api.js'
import { createKinds } from '../common/channel-queries.js'
import { ConnectionState } from '../common/connection-state.js'
import { t } from '../common/texts.js'
import { ConnectionActions } from './connection-actions.js'
import { ConversationsTab } from './conversations-tab.js'
import { DeliveriesTab } from './deliveries-tab.js'
import { PeopleTab } from './people-tab.js'
import { SettingsTab } from './settings-tab.js'
import { TestPanel } from './test-panel.js'

/** Once for each connection. */
const FirstSteps = lazyPart(
  () => import('./first-steps.js'),
  (module) => module.FirstSteps,
)

type TabId = 'people' | 'conversations' | 'sent' | 'settings'

/** One connection: how it does, who may write, what was said and sent, and how it is set up. All of it follows events. */
export function ConnectionPage(props: { readonly channels: ChannelApi; readonly id: string }): JSX.Element {
  const connection = createQuery({
    key: () => ['connection', props.id],
    read: (signal) => props.channels.get(props.id, signal),
  })
  const people = createQuery({
    key: () => ['people', props.id],
    read: (signal) => props.channels.senders(props.id, signal),
  })
  const [isGone, setGone] = createSignal(false)
  onCleanup(
    onEvent('channel.updated', ({ data }) => {
      if (data.connection_id === props.id && data.change === 'deleted') setGone(true)
    }),
  )
  const failure = (): unknown =>
    isGone() || isProblem(connection.error(), 'not_found') ? new Error(t('gone')) : connection.value() ? undefined : connection.error()
  return (
    <Switch
      fallback={
        <Page title={t('connection')}>
          <Skeleton lines={8} />
        </Page>
      }
    >
      <Match when={failure()}>
        {(error) => (
          <Page title={t('connection')} lead={<a href={props.channels.home}>{t('back')}</a>}>
            <Failure error={error()} {...(!isGone() && { onRetry: () => void connection.reload() })} />
          </Page>
        )}
      </Match>
      <Match when={connection.value()}>
        {(found) => <Shown channels={props.channels} connection={found()} query={connection} people={people} />}
      </Match>
    </Switch>
  )
}

function Shown(props: {
  readonly channels: ChannelApi
  readonly connection: Connection
  readonly query: Query<Connection>
  readonly people: Query<readonly Sender[]>
}): JSX.Element {
  const { channels } = props
  const kinds = createKinds()
  const kind = createMemo(() => kinds.value()?.find(({ id }) => id === props.connection.channel))
  const asked = currentQuery().get('tab')
  const [tab, setTab] = createSignal<TabId>(asked === 'sent' || asked === 'settings' || asked === 'conversations' ? asked : 'people')
  usePageTitle(() => props.connection.title)
  createEffect(
    on(
      () => props.connection.state,
      (state) => announce(t(`state_${state}`)),
      { defer: true },
    ),
  )
  const waiting = (): number => props.people.value()?.filter(({ state }) => state === 'pending').length ?? 0
  return (
    <Page
      title={props.connection.title}
      lead={
        <>
          <a href={channels.home}>{t('back')}</a> · <bdi>{kind()?.title ?? props.connection.channel}</bdi>
        </>
      }
      actions={<ConnectionActions channels={channels} connection={props.connection} kind={kind()} />}
    >
      <Show when={props.query.error()}>{(error) => <Failure error={error()} onRetry={() => void props.query.reload()} />}</Show>
      <Show when={kinds.error()}>{(error) => <Failure error={error()} onRetry={() => void kinds.reload()} />}</Show>
      <section class="channels-state" aria-label={t('state')}>
        <ConnectionState connection={props.connection} />
      </section>
      <Show when={currentQuery().has('new')}>
        <FirstSteps channels={channels} connection={props.connection} kind={kind()} waiting={waiting()} />
      </Show>
      <TestPanel channels={channels} connection={props.connection} atOnce={currentQuery().has('new')} />
      <Tabs
        label={t('parts')}
        tabs={[
          { id: 'people', label: t('people'), ...(waiting() > 0 && { count: waiting() }) },
          ...(channels.own ? [{ id: 'conversations' as const, label: t('conversations') }] : []),
          { id: 'sent', label: t('sent') },
          { id: 'settings', label: t('settings') },
        ]}
        current={tab()}
        onSelect={setTab}
      >
        <div class="channels-panel">
          <Switch>
            <Match when={tab() === 'people'}>
              <PeopleTab channels={channels} connection={props.connection} people={props.people} />
            </Match>
            <Match when={tab() === 'conversations' && channels.own}>
              {(own) => <ConversationsTab own={own()} connection={props.connection} />}
            </Match>
            <Match when={tab() === 'sent'}>
              <DeliveriesTab channels={channels} connection={props.connection} />
            </Match>
            <Match when={tab() === 'settings'}>
              <SettingsTab channels={channels} connection={props.connection} kind={kind()} />
            </Match>
          </Switch>
        </div>
      </Tabs>
    </Page>
  )
}
