import { agentName, Button, ButtonLink, currentQuery, EmptyState, Failure, isAdmin, Page, Skeleton } from '@agent-service/sdk/web'
import { createMemo, createSignal, For, type JSX, Show } from 'solid-js'
import { createQuery } from '../../api/index.js'
import type { ChannelApi, Connection } from '../common/channel-api.js'
import { createAgents, createKinds } from '../common/channel-queries.js'
import { t } from '../common/texts.js'
import { ClaimDialog } from './claim-dialog.js'
import { ConnectionRow } from './connection-row.js'
import { OwnPairings, readOwnPairings } from './own-pairings.js'

/** Connections with their states, which follow events; those of one agent, where the address names it. */
export function ConnectionList(props: { readonly channels: ChannelApi }): JSX.Element {
  const { channels } = props
  const connections = createQuery({ key: () => ['connections', channels.home], read: channels.list })
  const kinds = createKinds()
  const agents = createAgents(channels)
  const pairings = createQuery({ key: () => (channels.isShared ? undefined : ['pairings']), read: readOwnPairings })
  const [isClaiming, setClaiming] = createSignal(false)
  const agentId = (): string | null => currentQuery().get('agent')
  const byId = createMemo(() => {
    const shown = (connections.value() ?? []).filter(({ agent_id: id }) => agentId() === null || id === agentId())
    return new Map(inOrder(shown).map((connection) => [connection.id, connection]))
  })
  const nameOf = (id: string | null): string | undefined => agents.value()?.find((agent) => agent.id === id)?.name
  const connect = (): string => `${channels.home}/new${agentId() === null ? '' : `?${new URLSearchParams({ agent: agentId() ?? '' })}`}`
  return (
    <Page
      title={t(channels.isShared ? 'title_shared' : 'title')}
      lead={
        <>
          {t(channels.isShared ? 'lead_shared' : 'lead')}{' '}
          <Show when={!channels.isShared && isAdmin()}>
            <a href="/admin/channels">{t('to_shared')}</a>
          </Show>
        </>
      }
      actions={
        <>
          <Show when={!channels.isShared}>
            <Button icon="key" onClick={() => setClaiming(true)}>
              {t('claim')}
            </Button>
          </Show>
          <ButtonLink kind="main" icon="plus" href={connect()}>
            {t('add')}
          </ButtonLink>
        </>
      }
    >
      <Show when={connections.error()}>{(error) => <Failure error={error()} onRetry={() => void connections.reload()} />}</Show>
      <For each={[kinds, agents]}>
        {(other) => <Show when={other.error()}>{(error) => <Failure error={error()} onRetry={() => void other.reload()} />}</Show>}
      </For>
      <Show when={agentId()}>
        {(id) => (
          <p class="channels-note">
            {t('of_agent', { name: agentName(nameOf(id()) ?? t('agent_gone')) })} <a href={channels.home}>{t('all')}</a>
          </p>
        )}
      </Show>
      <Show when={connections.value()} fallback={<Show when={!connections.error()}>{<Skeleton lines={6} />}</Show>}>
        <Show
          when={byId().size > 0}
          fallback={<EmptyState title={t('empty')} text={t(channels.isShared ? 'empty_text_shared' : 'empty_text')} />}
        >
          <ul class="rows" aria-label={t(channels.isShared ? 'title_shared' : 'title')}>
            <For each={[...byId().keys()]}>
              {(id) => (
                <Show when={byId().get(id)}>
                  {(connection) => (
                    <li>
                      <ConnectionRow
                        channels={channels}
                        connection={connection()}
                        kind={kinds.value()?.find((kind) => kind.id === connection().channel)?.title ?? connection().channel}
                        agent={connection().agent_id === null ? t('agent_first') : (nameOf(connection().agent_id) ?? t('agent_gone'))}
                      />
                    </li>
                  )}
                </Show>
              )}
            </For>
          </ul>
        </Show>
      </Show>
      <Show when={!channels.isShared}>
        <OwnPairings pairings={pairings} />
      </Show>
      <Show when={isClaiming()}>
        <ClaimDialog
          onClose={() => setClaiming(false)}
          onDone={() => {
            setClaiming(false)
            void pairings.reload()
          }}
        />
      </Show>
    </Page>
  )
}

const needsHelp = ({ state }: Connection): boolean => state === 'failed' || state === 'unavailable' || state === 'retrying'

/** What needs attention first, otherwise in the order of the service. */
const inOrder = (all: readonly Connection[]): readonly Connection[] => [...all.filter(needsHelp), ...all.filter((each) => !needsHelp(each))]
