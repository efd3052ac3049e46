import { Button, createAction, Failure, StateBadge, showToast, TextField } from '@agent-service/sdk/web'
import { createForm, FormView } from '@agent-service/sdk/web/forms'
import { reloadProfile } from '@agent-service/sdk/web/host'
import { type JSX, Show } from 'solid-js'
import { api } from '../../api/index.js'
import { t } from './texts.js'

/** An address that is not confirmed yet: sends a code to it and takes that. */
export function ConfirmEmail(props: { readonly email: string }): JSX.Element {
  const form = createForm({
    initial: { code: '' },
    codes: { email_code_invalid: '/code' },
    submit: async ({ code }) => {
      await api.post('/api/auth/email/confirm', { body: { code: code.trim() } })
      showToast(t('email_confirmed'))
      await reloadProfile()
    },
  })
  const sending = createAction(async () => {
    const { to } = await api.post('/api/auth/email/code', {})
    showToast(t('code_sent', { to }))
  })
  return (
    <section class="profile-part">
      <h2 class="h3">{t('confirm_title')}</h2>
      <p class="help profile-lead">
        <StateBadge mark="warn">{t('unconfirmed')}</StateBadge> {t('confirm_help')} <bdi>{props.email}</bdi>
      </p>
      <FormView
        form={form}
        buttons={
          <div class="row">
            <Button kind="main" type="submit" busy={form.busy()} disabled={form.values().code.trim() === ''}>
              {t('confirm_code')}
            </Button>
            <Button icon="mail" busy={sending.busy()} onClick={() => void sending.run()}>
              {t('send_code')}
            </Button>
          </div>
        }
      >
        <TextField
          label={t('code')}
          name="code"
          autocomplete="one-time-code"
          placeholder="XXXX-XXXX"
          mono
          spellcheck={false}
          maxLength={100}
          help={t('code_help')}
          {...form.field('code')}
        />
        <Show when={sending.failure()}>{(error) => <Failure error={error()} />}</Show>
      </FormView>
    </section>
  )
}
