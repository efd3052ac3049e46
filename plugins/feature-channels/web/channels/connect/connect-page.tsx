import { currentQuery, EmptyState, Failure, Icon, Page, Skeleton } from '@agent-service/sdk/web'
import { For, type JSX, Match, Show, Switch } from 'solid-js'
import type { Channel, ChannelApi } from '../common/channel-api.js'
import { createKinds } from '../common/channel-queries.js'
import { t } from '../common/texts.js'
import { titleOf } from '../words/channel-words.js'
import { ConnectForm } from './connect-form.js'
import { Progress } from './progress.js'

/** The way to a new connection: which channel, then what it needs. The page of the connection goes on from there. */
export function ConnectPage(props: { readonly channels: ChannelApi }): JSX.Element {
  const kinds = createKinds()
  const chosen = (): Channel | undefined => kinds.value()?.find(({ id }) => id === currentQuery().get('channel'))
  return (
    <Page form title={t('connect_title')} lead={<a href={props.channels.home}>{t('back')}</a>}>
      <Progress at={chosen() ? 1 : 0} />
      <Switch fallback={<Skeleton lines={6} />}>
        <Match when={kinds.error()}>{(error) => <Failure error={error()} onRetry={() => void kinds.reload()} />}</Match>
        <Match when={chosen()} keyed>
          {(kind) => <ConnectForm channels={props.channels} kind={kind} />}
        </Match>
        <Match when={kinds.value()?.length === 0}>
          <EmptyState title={t('kinds_none')} text={t('kinds_none_text')} />
        </Match>
        <Match when={kinds.value()}>
          {(all) => (
            <>
              <h2 class="h3 channels-head">{t('choose')}</h2>
              <ul class="rows" aria-label={t('choose')}>
                <For each={all()}>
                  {(kind) => (
                    <li>
                      <KindRow channels={props.channels} kind={kind} />
                    </li>
                  )}
                </For>
              </ul>
            </>
          )}
        </Match>
      </Switch>
    </Page>
  )
}

const shown = ['groups', 'buttons', 'attachmentsIn', 'typing'] as const

function KindRow(props: { readonly channels: ChannelApi; readonly kind: Channel }): JSX.Element {
  const address = (): string => {
    const query = currentQuery()
    query.set('channel', props.kind.id)
    return `${props.channels.home}/new?${query}`
  }
  return (
    <div class="channels-row">
      <Icon name="messages" />
      <div class="channels-words">
        <a class="key" href={address()}>
          <bdi>{titleOf(props.kind)}</bdi>
        </a>
        <p class="channels-sub">
          <For each={shown}>{(name) => <Show when={props.kind.supports[name]}>{<span>{t(`with_${name}`)}</span>}</Show>}</For>
        </p>
      </div>
      <Icon name="chevron-right" flip />
    </div>
  )
}
