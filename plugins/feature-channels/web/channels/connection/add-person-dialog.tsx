import { showToast, TextField } from '@agent-service/sdk/web'
import { createForm, FormDialog } from '@agent-service/sdk/web/forms'
import type { JSX } from 'solid-js'
import type { Schemas } from '../../api/index.js'
import type { Role } from '../common/channel-api.js'
import { t } from '../common/texts.js'
import { RoleField } from './let-in-dialog.js'

/** Lets a person in whose id at the vendor is known. */
export function AddPersonDialog(props: {
  readonly onAdd: (sender: Schemas['AddChannelSender']) => Promise<unknown>
  readonly onClose: () => void
  readonly onDone: () => void
}): JSX.Element {
  const form = createForm({
    initial: { sender_id: '', name: '', role: 'guest' as Role },
    check: ({ sender_id: id }) => (id.trim() === '' ? { '/sender_id': t('required') } : {}),
    async submit({ sender_id, name, role }) {
      const sender = { sender_id: sender_id.trim(), name: name.trim(), role }
      await props.onAdd(sender)
      showToast(t('let_in_done', { name: sender.name || sender.sender_id }))
      props.onDone()
    },
  })
  return (
    <FormDialog form={form} title={t('add_person')} action={t('let_in')} onClose={props.onClose}>
      <TextField label={t('vendor_id')} help={t('vendor_id_help')} mono autofocus maxLength={200} {...form.field('sender_id')} />
      <TextField label={t('name')} maxLength={200} {...form.field('name')} />
      <RoleField {...form.field('role')} />
    </FormDialog>
  )
}
