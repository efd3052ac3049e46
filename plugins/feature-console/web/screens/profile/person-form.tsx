import { Button, confirmAction, guardLeaving, SelectField, showToast, TextField, whenConfirmed } from '@agent-service/sdk/web'
import { createForm, FormView } from '@agent-service/sdk/web/forms'
import { type Profile, reloadProfile } from '@agent-service/sdk/web/host'
import { type JSX, onCleanup } from 'solid-js'
import { zones } from '../../accounts/time-zones.js'
import { api } from '../../api/index.js'
import { t } from './texts.js'

/** Name, address and time zone. Asks for the password where the service wants a confirmed session. */
export function PersonForm(props: { readonly profile: Profile }): JSX.Element {
  const form = createForm({
    initial: valuesOf(props.profile),
    codes: { username_taken: '/username', email_taken: '/email' },
    async submit(values) {
      try {
        const isSaved = await whenConfirmed(t('confirm_email'), () => save(props.profile, values))
        if (isSaved) showToast(t('saved'))
        return isSaved
      } finally {
        // A part may have been saved before another was refused.
        await reloadProfile().catch(() => undefined)
      }
    },
  })
  onCleanup(
    guardLeaving(
      () => !form.isDirty() || confirmAction({ title: t('leave_question'), text: t('leave_text'), action: t('leave'), keep: t('stay') }),
    ),
  )
  return (
    <section class="profile-part">
      <h2 class="sr">{t('person')}</h2>
      <FormView
        form={form}
        buttons={
          <Button kind="main" type="submit" busy={form.busy()} disabled={!form.isDirty()}>
            {t('save')}
          </Button>
        }
      >
        <TextField label={t('username')} name="username" autocomplete="username" help={t('username_help')} {...form.field('username')} />
        <TextField label={t('name')} name="name" autocomplete="name" help={t('name_help')} {...form.field('name')} />
        <TextField label={t('email')} type="email" name="email" autocomplete="email" help={t('email_help')} {...form.field('email')} />
        <SelectField label={t('timezone')} choices={zones(props.profile.timezone)} help={t('timezone_help')} {...form.field('timezone')} />
      </FormView>
    </section>
  )
}

type Values = ReturnType<typeof valuesOf>

const valuesOf = ({ username, name, email, timezone }: Profile) => ({
  username,
  name: name ?? '',
  email: email ?? '',
  timezone: timezone ?? '',
})

/** Saves what differs from the profile. */
async function save(profile: Profile, { username, name, email, timezone }: Values): Promise<void> {
  const before = valuesOf(profile)
  const changes = {
    ...(name !== before.name && { name: nullable(name) }),
    ...(email !== before.email && { email: nullable(email) }),
    ...(timezone !== before.timezone && { timezone: nullable(timezone) }),
  }
  if (Object.keys(changes).length > 0) await api.patch('/api/auth/me', { body: changes })
  if (username !== before.username) await api.put('/api/auth/username', { body: { username } })
}

const nullable = (text: string): string | null => (text.trim() === '' ? null : text.trim())
