import { showToast, TextField } from '@agent-service/sdk/web'
import { OldFormDialog } from '@agent-service/sdk/web/forms'
import { createSignal, type JSX } from 'solid-js'
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
  const [senderId, setSenderId] = createSignal('')
  const [name, setName] = createSignal('')
  const [role, setRole] = createSignal<Role>('guest')
  const submit = async (): Promise<void> => {
    await props.onAdd({ sender_id: senderId().trim(), name: name().trim(), role: role() })
    showToast(t('let_in_done', { name: name().trim() || senderId().trim() }))
    props.onDone()
  }
  return (
    <OldFormDialog
      title={t('add_person')}
      action={t('let_in')}
      check={() => (senderId().trim() === '' ? { '/sender_id': t('required') } : {})}
      onSubmit={submit}
      onClose={props.onClose}
    >
      {(problems) => (
        <>
          <TextField
            label={t('vendor_id')}
            help={t('vendor_id_help')}
            mono
            autofocus
            maxLength={200}
            value={senderId()}
            onInput={setSenderId}
            error={problems()['/sender_id']}
          />
          <TextField label={t('name')} maxLength={200} value={name()} onInput={setName} error={problems()['/name']} />
          <RoleField value={role()} onInput={setRole} />
        </>
      )}
    </OldFormDialog>
  )
}
