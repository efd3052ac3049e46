import '../../vaults/vaults.css'
import './vaults.css'
import {
  Button,
  createAction,
  EmptyState,
  Failure,
  KeyedRows,
  Page,
  pageQuery,
  readAll,
  type ScreenProps,
  Skeleton,
  showToast,
  whileVisible,
} from '@agent-service/sdk/web'
import { createMemo, createSignal, type JSX, Show } from 'solid-js'
import { api, createQuery } from '../../api/index.js'
import type { Vault } from '../../vaults/vault-state.js'
import { ConnectionForm } from './connection-form.js'
import { t } from './texts.js'
import { VaultPage } from './vault-page.js'
import { VaultRow } from './vault-row.js'

const everyMs = 20_000

/** The person's connections to vaults and the service's that they may use; or the items of one. */
export default function Vaults(props: ScreenProps): JSX.Element {
  return (
    <Show when={props.params['vaultId']} keyed fallback={<VaultList />}>
      {(id) => <VaultPage id={id} />}
    </Show>
  )
}

function VaultList(): JSX.Element {
  const vaults = createQuery({
    key: () => ['vaults'],
    read: (signal) => readAll<Vault>((cursor) => api.get('/api/vaults', { query: pageQuery(cursor), signal })),
  })
  const [form, setForm] = createSignal<{ readonly vault?: Vault }>()
  const reload = (): void => void vaults.reload()
  // Those of the service have no events of the person.
  whileVisible(everyMs, () => {
    if (vaults.value()?.some(({ system }) => system)) reload()
  })
  const byId = createMemo(() => new Map((vaults.value() ?? []).map((vault) => [vault.id, vault])))
  /** At once, so that the person learns whether it works; how it went is in its state. */
  const test = createAction(({ id }: Vault) => api.post('/api/vaults/{vault_id}/test', { path: { vault_id: id } }), { concurrent: true })
  const done = (vault: Vault): void => {
    showToast(t(form()?.vault ? 'changed' : 'added', { title: vault.title }))
    setForm(undefined)
    void test.run(vault)
  }
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <Button kind="main" icon="plus" onClick={() => setForm({})}>
          {t('add')}
        </Button>
      }
    >
      <Show when={test.failure()}>{(error) => <Failure error={error()} />}</Show>
      <Show when={vaults.error()}>{(error) => <Failure error={error()} onRetry={reload} />}</Show>
      <Show when={vaults.value()} fallback={<Show when={!vaults.error()}>{<Skeleton lines={6} />}</Show>}>
        <Show when={byId().size > 0} fallback={<EmptyState title={t('empty')} text={t('empty_text')} />}>
          <KeyedRows items={byId()} label={t('title')}>
            {(vault) => <VaultRow vault={vault()} onConnect={() => setForm({ vault: vault() })} />}
          </KeyedRows>
        </Show>
      </Show>
      <Show when={form()} keyed>
        {({ vault }) => <ConnectionForm vault={vault} onClose={() => setForm(undefined)} onDone={done} />}
      </Show>
    </Page>
  )
}
