import { showToast, TextField } from '@agent-service/sdk/web'
import { OldFormDialog } from '@agent-service/sdk/web/forms'
import { createSignal, type JSX } from 'solid-js'
import { api } from '../../api/index.js'
import { titleProblem } from '../../credentials/name-problems.js'
import type { Vault } from '../../vaults/vault-state.js'
import { t } from './texts.js'

/** Gives a connection another title. The connection itself, and its secrets, stay. */
export function RenameVault(props: { readonly vault: Vault; readonly onClose: () => void; readonly onDone: () => void }): JSX.Element {
  const [title, setTitle] = createSignal(props.vault.title)
  const rename = async (): Promise<void> => {
    await api.patch('/api/vaults/{vault_id}', { path: { vault_id: props.vault.id }, body: { title: title().trim() } })
    showToast(t('renamed', { title: title().trim() }))
    props.onDone()
  }
  return (
    <OldFormDialog title={t('rename')} action={t('rename')} check={() => titleProblem(title())} onSubmit={rename} onClose={props.onClose}>
      {(problems) => (
        <TextField label={t('title_field')} autofocus maxLength={200} value={title()} onInput={setTitle} error={problems()['/title']} />
      )}
    </OldFormDialog>
  )
}
