import {
  Button,
  confirmAction,
  Failure,
  fieldMessage,
  guardLeaving,
  SelectField,
  showToast,
  TextField,
  whenConfirmed,
} from '@agent-service/sdk/web'
import { type Profile, reloadProfile } from '@agent-service/sdk/web/host'
import { createSignal, type JSX, onCleanup, Show } from 'solid-js'
import { zones } from '../../accounts/time-zones.js'
import { api } from '../../api/index.js'
import { t } from './texts.js'

/** Name, address and time zone. Asks for the password where the service wants a confirmed session. */
export function PersonForm(props: { readonly profile: Profile }): JSX.Element {
  const [username, setUsername] = createSignal(props.profile.username)
  const [name, setName] = createSignal(props.profile.name ?? '')
  const [email, setEmail] = createSignal(props.profile.email ?? '')
  const [timezone, setTimezone] = createSignal(props.profile.timezone ?? '')
  const [busy, setBusy] = createSignal(false)
  const [failure, setFailure] = createSignal<unknown>()
  const changes = () => ({
    ...(name() !== (props.profile.name ?? '') && { name: nullable(name()) }),
    ...(email() !== (props.profile.email ?? '') && { email: nullable(email()) }),
    ...(timezone() !== (props.profile.timezone ?? '') && { timezone: nullable(timezone()) }),
  })
  const isChanged = (): boolean => username() !== props.profile.username || Object.keys(changes()).length > 0
  const save = async (): Promise<void> => {
    if (busy() || !isChanged()) return
    setBusy(true)
    setFailure(undefined)
    try {
      const isSaved = await whenConfirmed(t('confirm_email'), async () => {
        if (Object.keys(changes()).length > 0) await api.patch('/api/auth/me', { body: changes() })
        if (username() !== props.profile.username) await api.put('/api/auth/username', { body: { username: username() } })
      })
      if (isSaved) showToast(t('saved'))
    } catch (error) {
      setFailure(error)
    } finally {
      // A part may have been saved before another was refused.
      await reloadProfile().catch(() => undefined)
      setBusy(false)
    }
  }
  onCleanup(
    guardLeaving(
      () => !isChanged() || confirmAction({ title: t('leave_question'), text: t('leave_text'), action: t('leave'), keep: t('stay') }),
    ),
  )
  const problemAt = (path: string, code: string): string | undefined => fieldMessage(failure(), path, code)
  const isShown = (): boolean =>
    problemAt('/username', 'username_taken') !== undefined ||
    problemAt('/email', 'email_taken') !== undefined ||
    problemAt('/name', '') !== undefined ||
    problemAt('/timezone', '') !== undefined
  return (
    <section class="profile-part">
      <h2 class="sr">{t('person')}</h2>
      <form
        novalidate
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <TextField
          label={t('username')}
          name="username"
          autocomplete="username"
          value={username()}
          onInput={setUsername}
          help={t('username_help')}
          error={problemAt('/username', 'username_taken')}
        />
        <TextField
          label={t('name')}
          name="name"
          autocomplete="name"
          value={name()}
          onInput={setName}
          help={t('name_help')}
          error={problemAt('/name', '')}
        />
        <TextField
          label={t('email')}
          type="email"
          name="email"
          autocomplete="email"
          value={email()}
          onInput={setEmail}
          help={t('email_help')}
          error={problemAt('/email', 'email_taken')}
        />
        <SelectField
          label={t('timezone')}
          value={timezone()}
          onInput={setTimezone}
          choices={zones(props.profile.timezone)}
          help={t('timezone_help')}
          error={problemAt('/timezone', '')}
        />
        <Show when={failure() !== undefined && !isShown()}>
          <Failure error={failure()} />
        </Show>
        <Button kind="main" type="submit" busy={busy()} disabled={!isChanged()}>
          {t('save')}
        </Button>
      </form>
    </section>
  )
}

const nullable = (text: string): string | null => (text.trim() === '' ? null : text.trim())
