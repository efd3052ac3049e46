import { showToast, TextField } from '@agent-service/sdk/web'
import { createForm, FormDialog } from '@agent-service/sdk/web/forms'
import type { JSX } from 'solid-js'
import { api } from '../../api/index.js'
import { titleProblem } from '../../credentials/name-problems.js'
import type { Vault } from '../../vaults/vault-state.js'
import { t } from './texts.js'

/** Gives a connection another title. The connection itself, and its secrets, stay. */
export function RenameVault(props: { readonly vault: Vault; readonly onClose: () => void }): JSX.Element {
  const form = createForm({
    initial: { title: props.vault.title },
    check: ({ title }) => titleProblem(title),
    submit: async (typed) => {
      const title = typed.title.trim()
      await api.patch('/api/vaults/{vault_id}', { path: { vault_id: props.vault.id }, body: { title } })
      showToast(t('renamed', { title }))
      props.onClose()
    },
  })
  return (
    <FormDialog form={form} title={t('rename')} action={t('rename')} onClose={props.onClose}>
      <TextField label={t('title_field')} autofocus maxLength={200} {...form.field('title')} />
    </FormDialog>
  )
}
