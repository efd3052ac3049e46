import '../../vaults/vaults.css'
import './admin-vaults.css'
import {
  Button,
  ButtonLink,
  createAction,
  EmptyState,
  Failure,
  Icon,
  KeyedRows,
  Page,
  pageQuery,
  readAll,
  Skeleton,
  showToast,
  whileVisible,
} from '@agent-service/sdk/web'
import { createMemo, createSignal, type JSX, Show } from 'solid-js'
import { api, createQuery, invalidate, type Schemas } from '../../api/index.js'
import { t as vaultTexts } from '../../vaults/texts.js'
import { VaultState } from '../../vaults/vault-state.js'
import { AccessDialog } from './access-dialog.js'
import { t } from './texts.js'

type SystemVault = Schemas['SystemVault']

/** Changes of the service's own vaults are no events of a person. */
const everyMs = 15_000

/** The vaults of the configuration: how they do, and who may use them. */
export default function AdminVaults(): JSX.Element {
  const vaults = createQuery({
    key: () => ['system-vaults'],
    read: (signal) => readAll<SystemVault>((cursor) => api.get('/api/admin/vaults', { query: pageQuery(cursor), signal })),
  })
  const [changing, setChanging] = createSignal<SystemVault>()
  const reload = (): void => void vaults.reload()
  whileVisible(everyMs, reload)
  const byId = createMemo(() => new Map((vaults.value() ?? []).map((vault) => [vault.id, vault])))
  const settings = '/admin/settings?section=vault'
  return (
    <Page title={t('title')} lead={t('lead')} actions={<ButtonLink href={settings}>{t('settings')}</ButtonLink>}>
      <Show when={vaults.error()}>{(error) => <Failure error={error()} onRetry={reload} />}</Show>
      <Show when={vaults.value()} fallback={<Show when={!vaults.error()}>{<Skeleton lines={6} />}</Show>}>
        <Show when={byId().size > 0} fallback={<EmptyState title={t('empty')} text={t('empty_text')} />}>
          <KeyedRows items={byId()} label={t('title')}>
            {(vault) => <Row vault={vault()} onAccess={() => setChanging(vault())} />}
          </KeyedRows>
        </Show>
      </Show>
      <Show when={changing()} keyed>
        {(vault) => <AccessDialog vault={vault} onClose={() => setChanging(undefined)} />}
      </Show>
    </Page>
  )
}

function Row(props: { readonly vault: SystemVault; readonly onAccess: () => void }): JSX.Element {
  const sync = createAction(async () => {
    const { title, items, failure: why } = await api.post('/api/admin/vaults/{vault_id}/sync', { path: { vault_id: props.vault.id } })
    if (why) showToast(vaultTexts('sync_failed', { title }), { mark: 'fail' })
    else showToast(vaultTexts('synced', { title, count: items }))
    invalidate(['system-vaults'])
  })
  const who = (): string => {
    const { kind, user_ids: ids = [] } = props.vault.access
    return kind === 'users' ? t('users_of', { count: ids.length }) : t(`access_${kind}`)
  }
  return (
    <div class="vaults-row">
      <Icon name="lock" />
      <div class="vaults-words">
        <span class="vaults-name">
          <bdi class="key">{props.vault.title}</bdi>
          <code>{props.vault.id}</code>
        </span>
        <VaultState vault={props.vault} isBusy={sync.busy()} />
        <p class="vaults-sub">{t('access_words', { who: who() })}</p>
        <Show when={sync.failure()}>{(error) => <Failure error={error()} />}</Show>
      </div>
      <div class="admin-vaults-do">
        <Button size="small" label={t('access_action', { title: props.vault.title })} onClick={() => props.onAccess()}>
          {t('access_short')}
        </Button>
        <Button
          size="small"
          busy={sync.busy()}
          {...(!sync.busy() && { label: vaultTexts('sync_title', { title: props.vault.title }) })}
          onClick={() => void sync.run()}
        >
          {vaultTexts(sync.busy() ? 'syncing' : 'sync_short')}
        </Button>
      </div>
    </div>
  )
}
