import { Button, commonText as common, Dialog, Failure, fieldMessage, SelectField, TextField, whenConfirmed } from '@agent-service/sdk/web'
import { createSignal, type JSX, Show } from 'solid-js'
import { api, type Schemas } from '../../api/index.js'
import { NewPassword, randomPassword } from './new-password.js'
import { t } from './texts.js'

type User = Schemas['AdministeredUser']

/** Makes an account with a password that is shown once. */
export function CreateUser(props: { readonly onClose: () => void; readonly onCreated: (user: User) => void }): JSX.Element {
  const [username, setUsername] = createSignal('')
  const [name, setName] = createSignal('')
  const [email, setEmail] = createSignal('')
  const [role, setRole] = createSignal<User['role']>('user')
  const [password, setPassword] = createSignal(randomPassword())
  const [made, setMade] = createSignal<User>()
  const [busy, setBusy] = createSignal(false)
  const [failure, setFailure] = createSignal<unknown>()
  const create = async (): Promise<void> => {
    if (busy()) return
    setBusy(true)
    setFailure(undefined)
    try {
      await whenConfirmed(t('confirm_admin'), async () => {
        const user = await api.post('/api/admin/users', {
          body: {
            ...{ username: username().trim(), password: password(), role: role() },
            ...(name().trim() !== '' && { name: name().trim() }),
            ...(email().trim() !== '' && { email: email().trim() }),
          },
        })
        setMade(user)
        props.onCreated(user)
      })
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const problemAt = (path: string, code: string): string | undefined => fieldMessage(failure(), path, code)
  const isShown = (): boolean =>
    problemAt('/username', 'username_taken') !== undefined ||
    problemAt('/email', 'email_taken') !== undefined ||
    problemAt('/name', '') !== undefined
  return (
    <Dialog title={made() ? t('created') : t('create')} modalOnly={made() !== undefined} onClose={props.onClose}>
      <Show
        when={made()}
        fallback={
          <form
            novalidate
            onSubmit={(event) => {
              event.preventDefault()
              void create()
            }}
          >
            <TextField
              label={t('username')}
              name="new-username"
              autofocus
              value={username()}
              onInput={(text) => {
                setUsername(text)
                setFailure(undefined)
              }}
              help={t('username_help')}
              error={problemAt('/username', 'username_taken')}
            />
            <TextField label={t('name')} name="new-name" value={name()} onInput={setName} error={problemAt('/name', '')} />
            <TextField
              label={t('email')}
              type="email"
              name="new-email"
              value={email()}
              onInput={setEmail}
              error={problemAt('/email', 'email_taken')}
            />
            <SelectField
              label={t('role')}
              value={role()}
              onInput={setRole}
              choices={[
                { value: 'user', label: t('role_user') },
                { value: 'admin', label: t('role_admin') },
              ]}
              help={role() === 'admin' ? t('role_admin_help') : t('role_user_help')}
            />
            <NewPassword password={password()} onAnother={() => setPassword(randomPassword())} />
            <Show when={failure() !== undefined && !isShown()}>
              <Failure error={failure()} />
            </Show>
            <footer>
              <Button kind="quiet" onClick={() => props.onClose()}>
                {common('cancel')}
              </Button>
              <Button kind="main" type="submit" busy={busy()} disabled={username().trim() === ''}>
                {t('create')}
              </Button>
            </footer>
          </form>
        }
      >
        {(user) => (
          <div class="body">
            <p class="say">{t('created_text', { name: user().username })}</p>
            <NewPassword password={password()} />
            <footer>
              <Button kind="main" autofocus onClick={() => props.onClose()}>
                {t('done')}
              </Button>
            </footer>
          </div>
        )}
      </Show>
    </Dialog>
  )
}
