import { Button, Dialog, SelectField, TextField, whenConfirmed } from '@agent-service/sdk/web'
import { createForm, FormDialog } from '@agent-service/sdk/web/forms'
import { createSignal, type JSX, Show } from 'solid-js'
import { api, invalidate, type Schemas } from '../../api/index.js'
import { NewPassword, randomPassword } from './new-password.js'
import { t } from './texts.js'

type User = Schemas['AdministeredUser']

/** Makes an account with a password that is shown once. */
export function CreateUser(props: { readonly onClose: () => void }): JSX.Element {
  const [made, setMade] = createSignal<User>()
  const form = createForm({
    initial: { username: '', name: '', email: '', role: 'user' as User['role'], password: randomPassword() },
    codes: { username_taken: '/username', email_taken: '/email' },
    submit: ({ username, name, email, role, password }) =>
      whenConfirmed(t('confirm_admin'), async () => {
        const body = {
          ...{ username: username.trim(), password, role },
          ...(name.trim() !== '' && { name: name.trim() }),
          ...(email.trim() !== '' && { email: email.trim() }),
        }
        setMade(await api.post('/api/admin/users', { body }))
        invalidate(['users'])
      }),
  })
  return (
    <Show
      when={made()}
      fallback={
        <FormDialog
          dismissible
          form={form}
          title={t('create')}
          action={t('create')}
          disabled={form.values().username.trim() === ''}
          onClose={props.onClose}
        >
          <TextField label={t('username')} name="new-username" autofocus help={t('username_help')} {...form.field('username')} />
          <TextField label={t('name')} name="new-name" {...form.field('name')} />
          <TextField label={t('email')} type="email" name="new-email" {...form.field('email')} />
          <SelectField
            label={t('role')}
            {...form.field('role')}
            choices={[
              { value: 'user', label: t('role_user') },
              { value: 'admin', label: t('role_admin') },
            ]}
            help={form.values().role === 'admin' ? t('role_admin_help') : t('role_user_help')}
          />
          <NewPassword password={form.values().password} onAnother={() => form.set('password', randomPassword())} />
        </FormDialog>
      }
    >
      {(user) => (
        <Dialog title={t('created')} modalOnly onClose={props.onClose}>
          <div class="body">
            <p class="say">{t('created_text', { name: user().username })}</p>
            <NewPassword password={form.values().password} />
            <footer>
              <Button kind="main" autofocus onClick={() => props.onClose()}>
                {t('done')}
              </Button>
            </footer>
          </div>
        </Dialog>
      )}
    </Show>
  )
}
