import { Badge, Button, confirmAction, createAction, Failure, Icon, MenuButton, showToast } from '@agent-service/sdk/web'
import { createSignal, type JSX, Show } from 'solid-js'
import { api, invalidate } from '../../api/index.js'
import { t as vaultTexts } from '../../vaults/texts.js'
import { type Vault, VaultState } from '../../vaults/vault-state.js'
import { RenameVault } from './rename-vault.js'
import { t } from './texts.js'

/** One connection: how it does, and what can be done with it. Those of the service are only shown and tested. */
export function VaultRow(props: { readonly vault: Vault; readonly onConnect: () => void }): JSX.Element {
  const [renaming, setRenaming] = createSignal(false)
  const path = () => ({ vault_id: props.vault.id })
  const sync = createAction(async () => {
    const { title, items, failure: why } = await api.post('/api/vaults/{vault_id}/sync', { path: path() })
    if (why) showToast(vaultTexts('sync_failed', { title }), { mark: 'fail' })
    else showToast(vaultTexts('synced', { title, count: items }))
    // One of the service has no event of the person.
    invalidate(['vaults'])
  })
  const disconnect = createAction(async () => {
    const { title } = props.vault
    await api.delete('/api/vaults/{vault_id}', { path: path() })
    showToast(t('disconnected', { title }))
  })
  const askToDisconnect = async (): Promise<void> => {
    const isSure = await confirmAction({
      title: t('disconnect_question', { title: props.vault.title }),
      text: t('disconnect_text'),
      action: t('disconnect'),
      keep: t('keep'),
    })
    if (isSure) await disconnect.run()
  }
  const busy = (): boolean => sync.busy() || disconnect.busy()
  return (
    <div class="vaults-row" classList={{ 'vaults-shown': props.vault.system }}>
      <Icon name="lock" />
      <div class="vaults-words">
        <span class="vaults-name">
          <a class="key" href={`/vaults/${props.vault.id}`}>
            <bdi>{props.vault.title}</bdi>
          </a>
          <Show when={props.vault.system}>
            <Badge tone="line" icon="server">
              {t('of_service')}
            </Badge>
          </Show>
        </span>
        <VaultState vault={props.vault} isBusy={busy()} />
        <Show when={props.vault.system}>
          <p class="vaults-sub">{t('of_service_help')}</p>
        </Show>
        <Show when={sync.failure() ?? disconnect.failure()}>{(error) => <Failure error={error()} />}</Show>
      </div>
      <Button
        size="small"
        busy={busy()}
        {...(!busy() && { label: vaultTexts('sync_title', { title: props.vault.title }) })}
        onClick={() => void sync.run()}
      >
        {busy() ? vaultTexts('syncing') : vaultTexts('sync_short')}
      </Button>
      <Show when={!props.vault.system}>
        <MenuButton
          name={t('actions_for', { title: props.vault.title })}
          size="small"
          items={[
            { label: t('rename'), icon: 'pencil', run: () => setRenaming(true) },
            { label: t('change'), icon: 'plug', run: () => props.onConnect() },
            { label: t('disconnect'), icon: 'trash', danger: true, run: () => void askToDisconnect() },
          ]}
        />
      </Show>
      <Show when={renaming()}>
        <RenameVault vault={props.vault} onClose={() => setRenaming(false)} />
      </Show>
    </div>
  )
}
