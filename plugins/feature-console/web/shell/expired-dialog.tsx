import { createSignal, type JSX, Show } from 'solid-js'
import { currentProfile, leave, signIn, signInOptions } from '../app/session.js'
import { Button } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import { PasswordField } from '../ui/field.js'
import { errorText } from '../ui/states.js'
import { t } from './texts.js'

/** Over the screen when the session ended: the screen and what was typed stay. */
export function ExpiredDialog(): JSX.Element {
  const [password, setPassword] = createSignal('')
  const [error, setError] = createSignal<string>()
  const [busy, setBusy] = createSignal(false)
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    setBusy(true)
    try {
      await signIn(currentProfile()?.username ?? '', password())
    } catch (cause) {
      setError(errorText(cause))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog title={t('expired_title')} modalOnly onClose={() => undefined}>
      <p>{t('expired_text')}</p>
      <Show
        when={signInOptions()?.local_auth}
        fallback={
          <footer>
            <a class="btn main" href="/api/auth/sso/login?return_to=/" target="_blank" rel="noopener opener">
              {t('sign_in_sso')}
            </a>
          </footer>
        }
      >
        <form onSubmit={(event) => void submit(event)}>
          <input
            class="sr"
            type="text"
            name="username"
            autocomplete="username"
            value={currentProfile()?.username ?? ''}
            readOnly
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
            <Button kind="quiet" onClick={leave}>
              {t('leave')}
            </Button>
            <Button kind="main" type="submit" busy={busy()}>
              {t('sign_in')}
            </Button>
          </footer>
        </form>
      </Show>
    </Dialog>
  )
}
