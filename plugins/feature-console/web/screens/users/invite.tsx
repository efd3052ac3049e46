import { Button, CopyButton, Dialog, minuteText, SelectField, TextField, whenConfirmed } from '@agent-service/sdk/web'
import { createForm, FormDialog } from '@agent-service/sdk/web/forms'
import { createSignal, type JSX, Show } from 'solid-js'
import { api, invalidate, type Schemas } from '../../api/index.js'
import { t } from './admission-texts.js'

/** Makes an invitation. Its link is shown once. */
export function Invite(props: { readonly onClose: () => void }): JSX.Element {
  const [made, setMade] = createSignal<Schemas['NewInvitation']>()
  const form = createForm({
    initial: { name: '', email: '', role: 'user' as 'user' | 'admin', hours: '168', uses: '1' },
    submit: ({ name, email, role, hours, uses }) =>
      whenConfirmed(t('confirm_admin'), async () => {
        const body = {
          ...{ role, expires_in_hours: Number(hours), max_uses: Number(uses) },
          ...(name.trim() !== '' && { name: name.trim() }),
          ...(email.trim() !== '' && { email: email.trim() }),
        }
        setMade(await api.post('/api/admin/invitations', { body }))
        invalidate(['admission'])
      }),
  })
  return (
    <Show
      when={made()}
      fallback={
        <FormDialog dismissible form={form} title={t('invite')} action={t('make')} onClose={props.onClose}>
          <TextField label={t('name')} name="invite-name" autofocus {...form.field('name')} />
          <TextField label={t('email')} type="email" name="invite-email" help={t('any_address')} {...form.field('email')} />
          <SelectField
            label={t('role')}
            {...form.field('role')}
            choices={[
              { value: 'user', label: t('role_user') },
              { value: 'admin', label: t('role_admin') },
            ]}
          />
          <SelectField label={t('valid')} {...form.field('hours', '/expires_in_hours')} choices={lifetimes()} />
          <TextField label={t('uses')} type="number" {...form.field('uses', '/max_uses')} />
        </FormDialog>
      }
    >
      {(invitation) => (
        <Dialog title={t('made')} modalOnly onClose={props.onClose}>
          <Made invitation={invitation()} onClose={props.onClose} />
        </Dialog>
      )}
    </Show>
  )
}

function Made(props: { readonly invitation: Schemas['NewInvitation']; readonly onClose: () => void }): JSX.Element {
  const letter = (): string => {
    const { email, link, expires_at: end } = props.invitation
    const text = `${t('letter', { time: minuteText(end) })}\n\n${link}`
    return `mailto:${encodeURIComponent(email ?? '')}?subject=${encodeURIComponent(t('subject'))}&body=${encodeURIComponent(text)}`
  }
  return (
    <div class="body">
      <div class="field">
        <span class="lbl">{t('link')}</span>
        <div class="users-secret">
          <code>{props.invitation.link}</code>
          <CopyButton text={() => props.invitation.link} label={t('link_copy')} />
        </div>
        <p class="help">{`${t('link_help')} ${t('link_until', { time: minuteText(props.invitation.expires_at) })}`}</p>
      </div>
      <footer>
        <a class="btn quiet" href={letter()}>
          {t('write_mail')}
        </a>
        <Button kind="main" autofocus onClick={() => props.onClose()}>
          {t('done')}
        </Button>
      </footer>
    </div>
  )
}

const lifetimes = () => [
  { value: '1', label: t('hour') },
  ...[1, 7, 30].map((count) => ({ value: String(count * 24), label: t('days', { count }) })),
]
