import { Button, commonText as common, currentProfile, PasswordField, showToast, signInOptions } from '@agent-service/sdk/web'
import { createForm, FormView } from '@agent-service/sdk/web/forms'
import { HiddenUsername } from '@agent-service/sdk/web/host'
import { type JSX, Show } from 'solid-js'
import { api } from '../../api/index.js'
import { t } from './texts.js'

/** A new password; every other session of the account ends. */
export function PasswordForm(): JSX.Element {
  const form = createForm({
    initial: { current_password: '', new_password: '' },
    codes: { password_too_common: '/new_password', password_contains_name: '/new_password' },
    check: ({ current_password: current, new_password: next }) => ({
      ...(current === '' && { '/current_password': common('required') }),
      ...(next === '' && { '/new_password': common('required') }),
    }),
    submit: async (body) => {
      await api.put('/api/auth/password', { body })
      form.reset()
      showToast(t('password_changed'))
    },
  })
  /** The service has found it wrong; else it is missing. */
  const currentProblem = (): string | undefined =>
    form.problem('/current_password') && (form.error() === undefined ? common('required') : t('wrong_password'))
  return (
    <Show when={signInOptions()?.local_auth}>
      <section class="profile-part">
        <h2 class="h3 profile-head">{t('password')}</h2>
        <FormView
          form={form}
          buttons={
            <Button type="submit" busy={form.busy()}>
              {t('change_password')}
            </Button>
          }
        >
          <HiddenUsername username={currentProfile()?.username} />
          <PasswordField
            label={t('current_password')}
            name="current"
            autocomplete="current-password"
            {...form.field('current_password')}
            error={currentProblem()}
          />
          <PasswordField
            label={t('new_password')}
            name="new"
            autocomplete="new-password"
            help={t('new_password_help')}
            {...form.field('new_password')}
          />
        </FormView>
      </section>
    </Show>
  )
}
