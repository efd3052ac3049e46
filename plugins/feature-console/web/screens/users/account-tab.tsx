import {
  Button,
  confirmAction,
  Failure,
  fieldMessage,
  guardLeaving,
  momentText,
  SelectField,
  StateBadge,
  showToast,
  TextField,
  whenConfirmed,
} from '@agent-service/sdk/web'
import { createSignal, For, type JSX, onCleanup, Show } from 'solid-js'
import { zones } from '../../accounts/time-zones.js'
import { api } from '../../api/index.js'
import { t } from './texts.js'
import type { TabProps, User } from './user.js'

/** Name, address, time zone and role. Nothing that was typed is lost when the service refuses it. */
export function AccountTab(props: TabProps): JSX.Element {
  const start = props.user
  const [name, setName] = createSignal(start.name ?? '')
  const [email, setEmail] = createSignal(start.email ?? '')
  const [timezone, setTimezone] = createSignal(start.timezone ?? '')
  const [role, setRole] = createSignal<User['role']>(start.role)
  const [busy, setBusy] = createSignal(false)
  const [failure, setFailure] = createSignal<unknown>()
  const changes = () => ({
    ...(name() !== (props.user.name ?? '') && { name: nullable(name()) }),
    ...(email() !== (props.user.email ?? '') && { email: nullable(email()) }),
    ...(timezone() !== (props.user.timezone ?? '') && { timezone: nullable(timezone()) }),
    ...(role() !== props.user.role && { role: role() }),
  })
  const isChanged = (): boolean => Object.keys(changes()).length > 0
  const save = async (): Promise<void> => {
    if (busy() || !isChanged()) return
    setBusy(true)
    setFailure(undefined)
    try {
      const isSaved = await whenConfirmed(t('confirm_change'), async () => {
        const saved = await api.patch('/api/admin/users/{user_id}', { path: { user_id: props.user.id }, body: changes() })
        setName(saved.name ?? '')
        setEmail(saved.email ?? '')
        props.onChanged(saved)
      })
      if (isSaved) showToast(t('saved'))
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const vouch = async (address: string): Promise<void> => {
    if (busy()) return
    setBusy(true)
    setFailure(undefined)
    try {
      const isSaved = await whenConfirmed(t('confirm_change'), async () => {
        const path = { user_id: props.user.id }
        props.onChanged(await api.patch('/api/admin/users/{user_id}', { path, body: { email: address, email_verified: true } }))
      })
      if (isSaved) showToast(t('saved'))
    } catch (error) {
      setFailure(error)
    } finally {
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
    [problemAt('/email', 'email_taken'), problemAt('/name', ''), problemAt('/timezone', ''), problemAt('/role', 'last_admin')].some(
      (text) => text !== undefined,
    )
  return (
    <div class="users-two">
      <form
        novalidate
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <TextField label={t('name')} value={name()} onInput={setName} error={problemAt('/name', '')} />
        <TextField
          label={t('email')}
          type="email"
          value={email()}
          onInput={setEmail}
          help={t('email_help')}
          error={problemAt('/email', 'email_taken')}
        />
        <Show when={!props.user.email_verified && email() === props.user.email && props.user.email}>
          {(address) => (
            <p class="row">
              <StateBadge mark="warn">{t('unconfirmed')}</StateBadge>
              <Button kind="quiet" busy={busy()} onClick={() => void vouch(address())}>
                {t('vouch')}
              </Button>
            </p>
          )}
        </Show>
        <SelectField
          label={t('timezone')}
          value={timezone()}
          onInput={setTimezone}
          choices={zones(start.timezone)}
          error={problemAt('/timezone', '')}
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
          error={problemAt('/role', 'last_admin')}
        />
        <Show when={failure() !== undefined && !isShown()}>
          <Failure error={failure()} />
        </Show>
        <Button kind="main" type="submit" busy={busy()} disabled={!isChanged()}>
          {t('save')}
        </Button>
      </form>
      <Facts
        rows={[
          [t('username'), props.user.username],
          [t('handle'), props.user.handle],
          [t('created_at'), momentText(props.user.created_at)],
          [t('changed_at'), momentText(props.user.updated_at)],
          [t('id'), props.user.id],
        ]}
      />
    </div>
  )
}

function Facts(props: { readonly rows: readonly (readonly [string, string])[] }): JSX.Element {
  return (
    <dl class="users-facts">
      <For each={props.rows}>
        {([label, value]) => (
          <div>
            <dt>{label}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        )}
      </For>
    </dl>
  )
}

const nullable = (text: string): string | null => (text.trim() === '' ? null : text.trim())
