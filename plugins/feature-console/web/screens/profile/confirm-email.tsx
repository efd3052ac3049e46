import { Button, Failure, fieldMessage, StateBadge, showToast, TextField } from '@agent-service/sdk/web'
import { reloadProfile } from '@agent-service/sdk/web/host'
import { createSignal, type JSX, Show } from 'solid-js'
import { api } from '../../api/index.js'
import { t } from './texts.js'

/** An address that is not confirmed yet: sends a code to it and takes that. */
export function ConfirmEmail(props: { readonly email: string }): JSX.Element {
  const [code, setCode] = createSignal('')
  const [busy, setBusy] = createSignal<'send' | 'confirm'>()
  const [failure, setFailure] = createSignal<unknown>()
  const doing = async (what: 'send' | 'confirm', work: () => Promise<void>): Promise<void> => {
    if (busy() !== undefined) return
    setBusy(what)
    setFailure(undefined)
    try {
      await work()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(undefined)
    }
  }
  const send = () =>
    doing('send', async () => {
      const { to } = await api.post('/api/auth/email/code', {})
      showToast(t('code_sent', { to }))
    })
  const confirm = () =>
    doing('confirm', async () => {
      await api.post('/api/auth/email/confirm', { body: { code: code().trim() } })
      showToast(t('email_confirmed'))
      await reloadProfile()
    })
  const codeError = (): string | undefined => fieldMessage(failure(), '/code', 'email_code_invalid')
  return (
    <section class="profile-part">
      <h2 class="h3">{t('confirm_title')}</h2>
      <p class="help profile-lead">
        <StateBadge mark="warn">{t('unconfirmed')}</StateBadge> {t('confirm_help')} <bdi>{props.email}</bdi>
      </p>
      <form
        novalidate
        onSubmit={(event) => {
          event.preventDefault()
          if (code().trim() !== '') void confirm()
        }}
      >
        <TextField
          label={t('code')}
          name="code"
          autocomplete="one-time-code"
          placeholder="XXXX-XXXX"
          mono
          spellcheck={false}
          maxLength={100}
          value={code()}
          onInput={setCode}
          help={t('code_help')}
          error={codeError()}
        />
        <Show when={failure() !== undefined && codeError() === undefined}>
          <Failure error={failure()} />
        </Show>
        <div class="row">
          <Button kind="main" type="submit" busy={busy() === 'confirm'} disabled={code().trim() === ''}>
            {t('confirm_code')}
          </Button>
          <Button icon="mail" busy={busy() === 'send'} onClick={() => void send()}>
            {t('send_code')}
          </Button>
        </div>
      </form>
    </section>
  )
}
