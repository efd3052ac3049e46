import {
  announce,
  createLoaded,
  currentQuery,
  Failure,
  isProblem,
  type Loaded,
  lazyPart,
  Page,
  Skeleton,
  Tabs,
  usePageTitle,
} from '@agent-service/sdk/web'
import { createEffect, createMemo, createSignal, type JSX, Match, on, onCleanup, Show, Switch } from 'solid-js'
import { onEvent } from '../../api/index.js'
import { type ChannelApi, type Connection, readKinds, type Sender } from '../common/channel-api.js'
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
  const connection = createLoaded((signal) => props.channels.get(props.id, signal))
  const people = createLoaded((signal) => props.channels.senders(props.id, signal))
  const [isGone, setGone] = createSignal(false)
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
        {(found) => (
          <Shown channels={props.channels} connection={found()} loaded={connection} people={people} onGone={() => setGone(true)} />
        )}
      </Match>
    </Switch>
  )
}

function Shown(props: {
  readonly channels: ChannelApi
  readonly connection: Connection
  readonly loaded: Loaded<Connection>
  readonly people: Loaded<readonly Sender[]>
  readonly onGone: () => void
}): JSX.Element {
  const { channels } = props
  const kinds = createLoaded(readKinds)
  const kind = createMemo(() => kinds.value()?.find(({ id }) => id === props.connection.channel))
  const asked = currentQuery().get('tab')
  const [tab, setTab] = createSignal<TabId>(asked === 'sent' || asked === 'settings' || asked === 'conversations' ? asked : 'people')
  /** Grows with each change of what was sent. */
  const [sent, setSent] = createSignal(0)
  const readAgain = (): void => {
    void props.loaded.reload()
    void props.people.reload()
    setSent((count) => count + 1)
  }
  onCleanup(
    onEvent('channel.updated', ({ data }) => {
      if (data.connection_id !== props.connection.id) return
      if (data.change === 'deleted') return props.onGone()
      void props.loaded.reload()
      if (data.change === 'pairing') void props.people.reload()
      if (data.change === 'delivery') setSent((count) => count + 1)
    }),
  )
  onCleanup(onEvent('reset', readAgain))
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
      actions={<ConnectionActions channels={channels} connection={props.connection} kind={kind()} onChanged={readAgain} />}
    >
      <Show when={props.loaded.error()}>{(error) => <Failure error={error()} onRetry={() => void props.loaded.reload()} />}</Show>
      <Show when={kinds.error()}>{(error) => <Failure error={error()} onRetry={() => void kinds.reload()} />}</Show>
      <section class="channels-state" aria-label={t('state')}>
        <ConnectionState connection={props.connection} />
      </section>
      <Show when={currentQuery().has('new')}>
        <FirstSteps channels={channels} connection={props.connection} kind={kind()} waiting={waiting()} />
      </Show>
      <TestPanel
        channels={channels}
        connection={props.connection}
        atOnce={currentQuery().has('new')}
        onTested={() => {
          void props.loaded.reload()
          setSent((count) => count + 1)
        }}
      />
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
              <DeliveriesTab channels={channels} connection={props.connection} changed={sent()} />
            </Match>
            <Match when={tab() === 'settings'}>
              <SettingsTab channels={channels} connection={props.connection} kind={kind()} onChanged={() => void props.loaded.reload()} />
            </Match>
          </Switch>
        </div>
      </Tabs>
    </Page>
  )
}
