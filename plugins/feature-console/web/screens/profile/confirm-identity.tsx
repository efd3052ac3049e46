import { createSignal, type JSX, Show } from 'solid-js'
import { api } from '../../api/client.js'
import { currentProfile, signInOptions } from '../../app/session.js'
import { Button } from '../../ui/button.js'
import { Dialog } from '../../ui/dialog.js'
import { PasswordField } from '../../ui/field.js'
import { errorText } from '../../ui/states.js'
import { t as common } from '../../ui/texts.js'
import { t } from './texts.js'

/**
 * Confirms that the person at the keyboard is the one who signed in, for the few minutes in which
 * the service then allows more.
 */
export function ConfirmIdentity(props: {
  /** What needs it. */
  readonly reason: string
  readonly onClose: () => void
  readonly onConfirmed: () => void
}): JSX.Element {
  const [password, setPassword] = createSignal('')
  const [error, setError] = createSignal<string>()
  const [busy, setBusy] = createSignal(false)
  const confirm = async (): Promise<void> => {
    if (busy()) return
    setBusy(true)
    setError(undefined)
    try {
      await api.post('/api/auth/confirm', { body: { password: password() } })
      props.onConfirmed()
    } catch (cause) {
      setError(errorText(cause))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog title={t('confirm_title')} onClose={props.onClose}>
      <p>{props.reason}</p>
      <Show
        when={signInOptions()?.local_auth}
        fallback={
          <footer>
            <a class="btn" href="/api/auth/sso/login?confirm=true" target="_blank" rel="noopener">
              {t('confirm_sso')}
            </a>
            <Button kind="main" onClick={() => props.onConfirmed()}>
              {t('continue')}
            </Button>
          </footer>
        }
      >
        <form
          novalidate
          onSubmit={(event) => {
            event.preventDefault()
            void confirm()
          }}
        >
          <input
            class="sr"
            type="text"
            name="username"
            autocomplete="username"
            value={currentProfile()?.username ?? ''}
            readOnly
            tabindex="-1"
            aria-label={t('username')}
          />
          <PasswordField
            label={t('password')}
            name="password"
            autocomplete="current-password"
            autofocus
            value={password()}
            onInput={setPassword}
            error={error()}
          />
          <footer>
            <Button kind="quiet" onClick={() => props.onClose()}>
              {common('cancel')}
            </Button>
            <Button kind="main" type="submit" busy={busy()}>
              {t('confirm')}
            </Button>
          </footer>
        </form>
      </Show>
    </Dialog>
  )
}
