import {
  Button,
  createRested,
  EmptyState,
  Failure,
  Page,
  PagedRows,
  pageQuery,
  readAgents,
  readAll,
  TextField,
  usePageTitle,
} from '@agent-service/sdk/web'
import { createSignal, type JSX, Show } from 'solid-js'
import { api, createPagedQuery, createQuery, type Schemas } from '../../api/index.js'
import { GrantDialog } from '../../credentials/grant-dialog.js'
import { VaultState } from '../../vaults/vault-state.js'
import { t } from './texts.js'

type Item = Schemas['VaultItem']

const pageSize = 50
const typingMs = 250

/** The items of a vault as they were last listed, with a search, to grant from. */
export function VaultPage(props: { readonly id: string }): JSX.Element {
  const [search, setSearch] = createSignal('')
  const asked = createRested(() => search().trim(), typingMs)
  const [granting, setGranting] = createSignal<Item>()
  const path = { vault_id: props.id }
  const vault = createQuery({
    key: () => ['vault', props.id],
    read: (signal) => api.get('/api/vaults/{vault_id}', { path, signal }),
  })
  const people = createQuery({
    key: () => ['granted', props.id],
    async read(signal) {
      const [agents, grants] = await Promise.all([
        readAgents(signal),
        readAll((cursor) => api.get('/api/credentials/grants', { query: pageQuery(cursor), signal })),
      ])
      return { agents, grants: grants.filter(({ source }) => source.kind === 'vault' && source.vault_id === props.id) }
    },
  })
  const list = createPagedQuery<Item>({
    key: () => ['vault', props.id, 'items', asked()],
    read: (cursor, signal) =>
      api.get('/api/vaults/{vault_id}/items', {
        path,
        query: { limit: pageSize, ...(asked() !== '' && { q: asked() }), ...(cursor !== undefined && { cursor }) },
        signal,
      }),
    idOf: ({ id }) => id,
  })
  const title = (): string => vault.value()?.title ?? t('title')
  usePageTitle(title)
  const grantedTo = (item: Item): string => {
    const { agents = [], grants = [] } = people.value() ?? {}
    const ids = new Set(grants.flatMap(({ source, agent_id }) => (source.kind === 'vault' && source.item_id === item.id ? [agent_id] : [])))
    return agents
      .filter(({ id }) => ids.has(id))
      .map(({ name }) => name)
      .join(', ')
  }
  return (
    <Page title={title()} lead={<a href="/vaults">{t('back')}</a>}>
      <Show when={vault.error()}>{(error) => <Failure error={error()} onRetry={() => void vault.reload()} />}</Show>
      <Show when={people.error()}>{(error) => <Failure error={error()} onRetry={() => void people.reload()} />}</Show>
      <Show when={vault.value()}>
        {(found) => (
          <>
            <div class="vaults-state">
              <VaultState vault={found()} />
            </div>
            <search class="vaults-search">
              <TextField
                label={t('items_search')}
                type="search"
                maxLength={200}
                placeholder={t('items_search_hint')}
                value={search()}
                onInput={setSearch}
              />
            </search>
            <PagedRows
              list={list}
              label={t('open', { title: found().title })}
              empty={
                <EmptyState
                  title={t(search().trim() === '' ? 'items_empty' : 'items_found_none')}
                  text={t(search().trim() === '' ? 'items_empty_text' : 'items_found_none_text')}
                />
              }
            >
              {(item) => (
                <div class="vaults-item">
                  <div class="vaults-words">
                    <bdi class="vaults-name">{item.title}</bdi>
                    <p class="vaults-sub">
                      <Show when={item.group}>{(group) => <bdi>{group()}</bdi>}</Show>
                      <Show when={item.fields.length > 0}>
                        <bdi>{item.fields.join(', ')}</bdi>
                      </Show>
                      <Show when={grantedTo(item)}>{(agents) => <span>{t('granted_to', { agents: agents() })}</span>}</Show>
                    </p>
                  </div>
                  <Button
                    size="small"
                    label={t('grant_item', { title: item.title })}
                    disabled={(people.value()?.agents.length ?? 0) === 0}
                    onClick={() => setGranting(item)}
                  >
                    {t('grant')}
                  </Button>
                </div>
              )}
            </PagedRows>
          </>
        )}
      </Show>
      <Show when={granting()} keyed>
        {(item) => (
          <GrantDialog
            of={{
              source: { kind: 'vault', vault_id: props.id, item_id: item.id },
              ...{ name: undefined, title: item.title, fields: item.fields.map((name) => ({ name })) },
            }}
            agents={people.value()?.agents ?? []}
            onClose={() => setGranting(undefined)}
          />
        )}
      </Show>
    </Page>
  )
}
