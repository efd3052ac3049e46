import {
  Button,
  confirmAction,
  createAction,
  Failure,
  guardLeaving,
  momentText,
  SelectField,
  StateBadge,
  showToast,
  TextField,
  whenConfirmed,
} from '@agent-service/sdk/web'
import { createForm, FormView } from '@agent-service/sdk/web/forms'
import { For, type JSX, onCleanup, Show } from 'solid-js'
import { zones } from '../../accounts/time-zones.js'
import { api, type Schemas } from '../../api/index.js'
import { t } from './texts.js'
import type { TabProps, User } from './user.js'

/** Name, address, time zone and role. Nothing that was typed is lost when the service refuses it. */
export function AccountTab(props: TabProps): JSX.Element {
  const { timezone } = props.user
  let saved = valuesOf(props.user)
  const patch = async (body: Schemas['ChangeUser']): Promise<boolean> => {
    const path = { user_id: props.user.id }
    const isSaved = await whenConfirmed(t('confirm_change'), async () => {
      const user = await api.patch('/api/admin/users/{user_id}', { path, body })
      saved = valuesOf(user)
      props.onChanged(user)
    })
    if (isSaved) showToast(t('saved'))
    return isSaved
  }
  const form = createForm({
    initial: saved,
    codes: { email_taken: '/email', last_admin: '/role' },
    submit: async (values) => {
      const isSaved = await patch(changesOf(saved, values))
      if (isSaved) form.reset(saved)
      return isSaved
    },
  })
  const vouching = createAction((email: string) => patch({ email, email_verified: true }))
  onCleanup(
    guardLeaving(
      () => !form.isDirty() || confirmAction({ title: t('leave_question'), text: t('leave_text'), action: t('leave'), keep: t('stay') }),
    ),
  )
  return (
    <div class="users-two">
      <FormView
        form={form}
        buttons={
          <Button kind="main" type="submit" busy={form.busy()} disabled={!form.isDirty()}>
            {t('save')}
          </Button>
        }
      >
        <TextField label={t('name')} {...form.field('name')} />
        <TextField label={t('email')} type="email" help={t('email_help')} {...form.field('email')} />
        <Show when={!props.user.email_verified && form.values().email === props.user.email && props.user.email}>
          {(address) => (
            <p class="row">
              <StateBadge mark="warn">{t('unconfirmed')}</StateBadge>
              <Button kind="quiet" busy={vouching.busy()} onClick={() => void vouching.run(address())}>
                {t('vouch')}
              </Button>
            </p>
          )}
        </Show>
        <SelectField label={t('timezone')} choices={zones(timezone)} {...form.field('timezone')} />
        <SelectField
          label={t('role')}
          {...form.field('role')}
          choices={[
            { value: 'user', label: t('role_user') },
            { value: 'admin', label: t('role_admin') },
          ]}
          help={form.values().role === 'admin' ? t('role_admin_help') : t('role_user_help')}
        />
        <Show when={vouching.failure()}>{(error) => <Failure error={error()} />}</Show>
      </FormView>
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

type Values = ReturnType<typeof valuesOf>

const valuesOf = ({ name, email, timezone, role }: User) => ({ name: name ?? '', email: email ?? '', timezone: timezone ?? '', role })

const changesOf = (before: Values, { name, email, timezone, role }: Values) => ({
  ...(name !== before.name && { name: nullable(name) }),
  ...(email !== before.email && { email: nullable(email) }),
  ...(timezone !== before.timezone && { timezone: nullable(timezone) }),
  ...(role !== before.role && { role }),
})

const nullable = (text: string): string | null => (text.trim() === '' ? null : text.trim())
